import { createHash } from "node:crypto";

import type { CacheConfig } from "../model/capability.js";
import { canonicalJson } from "../model/identity.js";
import { keepValue } from "../model/kept-value.js";
import type { StoreContext } from "../store/context.js";
import type { CacheableJob } from "./cacheable-job.js";

/** The same code with the same inputs, on the same tools and with the same capabilities behind its names. */
export function exactKey(job: CacheableJob, config: CacheConfig): string {
  const { analysis, inputs, context, options } = job;
  const { actor } = context.scope;
  const { source } = analysis;
  const permissions = options.permissions ?? null;
  const day = config.invalidateOn.includes("daily") ? dayOf(context).toISOString() : "";
  return hash([projectOf(context), actor, source, inputs, listVersions(job), listCallees(job), permissions, day]);
}

export function paramsKey(job: CacheableJob, { invalidateOn }: CacheConfig): string {
  const versions = invalidateOn.includes("tool_schema_change") ? listVersions(job) : [];
  return hash([job.inputs, versions, listCallees(job), job.context.scope.actor]);
}

/** What else has to be equal when two intents mean the same. */
export function requestKey({
  context,
  given,
  permissions,
}: {
  context: StoreContext;
  given: Readonly<Record<string, unknown>>;
  permissions: unknown;
}): string {
  const { org, project, actor } = context.scope;
  return hash([org, project, actor, given, permissions ?? null]);
}

export function projectOf({ scope }: Pick<StoreContext, "scope">): string {
  return JSON.stringify([scope.org, scope.project]);
}

/** When the day began, in UTC. */
export function dayOf({ now }: Pick<StoreContext, "now">): Date {
  return new Date(now().toISOString().slice(0, 10));
}

/** Of the schemas of every tool it may reach. */
function listVersions({ closure, workspace }: CacheableJob): [string, number][] {
  return closure.tools.map((id) => [id, workspace.versions.get(id) ?? 0]);
}

/** A capability never changes, but a name may come to stand for another one. */
function listCallees({ closure }: CacheableJob): [string, string][] {
  return closure.callees.map(({ name, capability }) => [name, capability.id]);
}

/** Inputs may be more than JSON: two dates are not the same for both being objects without fields. */
function hash(values: readonly unknown[]): string {
  const kept = values.map((value) => keepValue(value, Number.MAX_SAFE_INTEGER));
  return createHash("sha256").update(canonicalJson(kept)).digest("hex");
}
