import type { DAGStructure } from "@pml/analyzer";

import { spanFacts } from "../learn/knowledge.js";
import type { Capability, CacheConfig, CapabilitySource } from "../model/capability.js";
import { invalidInput } from "../model/error.js";
import type { Scope, Visibility } from "../model/scope.js";
import { checkIntent } from "../model/text.js";
import { type ListOptions, listCapabilities, putCapability } from "../store/capabilities.js";
import { removeCapability } from "../store/remove-capability.js";
import { listResting } from "../store/resting.js";
import { codeOf } from "./analyses.js";
import { addCoverage } from "./coverage.js";
import type { Place, Powers } from "./job.js";
import { closeJob } from "./prepare.js";
import { type Repair, repair, type RepairRequest } from "./repair/repair.js";
import { hasSecret } from "./run-redaction.js";

/** A capability written by hand: code, a DAG, or a tool with default arguments. */
export interface CreateCapability {
  intent: string;
  code?: string;
  dag?: DAGStructure;
  tool?: { id: string; defaultArgs?: Record<string, unknown> };
  name?: string;
  description?: string;
  cacheConfig?: Partial<CacheConfig>;
  visibility?: Visibility;
  scope?: Partial<Scope>;
}

/** Capabilities by hand. What runs learn comes by itself. */
export interface ManageCapabilities {
  /** Analysed and active at once. The same code again gives the one that is there. */
  create(given: CreateCapability): Promise<Capability>;
  list(options?: ListOptions & { scope?: Partial<Scope> }): Promise<Capability[]>;
  /** By name, old name, `name@version`, FQDN or id. Throws for what is not there. */
  get(name: string, options?: { scope?: Partial<Scope> }): Promise<Capability>;
  /** By the same. Its name stays reserved for a while. */
  remove(name: string, options?: { scope?: Partial<Scope> }): Promise<void>;
  /** What could be called instead of tools that are gone, or have changed, tried on recorded runs. Changes nothing. */
  repair(request?: RepairRequest): Promise<Repair[]>;
}

export function manageCapabilities(powers: Powers): ManageCapabilities {
  const { naming, open } = powers;
  return {
    create: (given) => createCapability(powers, given),
    async list({ scope, ...options } = {}) {
      const place = await open(scope);
      return markDegraded(place, await listCapabilities(place.context, options));
    },
    async get(name, { scope } = {}) {
      const place = await open(scope);
      const { capability } = await naming.resolve(place.context, name);
      return (await markDegraded(place, [capability]))[0] as Capability;
    },
    async remove(name, { scope } = {}) {
      const { context, workspace } = await open(scope);
      const { capability } = await naming.resolve(context, name);
      await removeCapability(context, capability.id);
      powers.caches.drop(context, { capabilityId: capability.id });
      workspace.isStale = true;
    },
    repair: (request) => repair(powers, request),
  };
}

/** What rests on a tool that is gone is not run, whatever is stored of it: the tool may come back. */
async function markDegraded({ workspace, context }: Place, found: readonly Capability[]): Promise<Capability[]> {
  const resting = await listResting(context, workspace.gone);
  return found.map((each) => (resting.has(each.id) ? { ...each, status: "degraded" } : each));
}

async function createCapability(powers: Powers, given: CreateCapability): Promise<Capability> {
  const { context, workspace } = await powers.open(given.scope);
  const intent = checkIntent(given.intent);
  const source = readSource(given);
  const analysis = powers.analyses().analyse(codeOf({ source, parameterisedCode: undefined }));
  if (hasSecret(powers, { analysis }) || powers.redact(source) !== source)
    throw invalidInput("This holds what looks like a secret, and would keep it. Take it from args instead.");
  await closeJob(powers, { context }, analysis);
  if (given.name !== undefined) await powers.naming.check(context, given.name, analysis.hash);
  const { description, cacheConfig, visibility } = given;
  const isCode = source.type === "code";
  const { capability } = await putCapability(
    context,
    {
      source,
      intent: powers.redact(intent),
      ...(isCode && { hash: analysis.hash, shape: analysis.shape, parameterisedCode: analysis.parameterised.code }),
      ...(description !== undefined && { description: powers.redact(description) }),
      ...(cacheConfig !== undefined && { cacheConfig }),
      ...(visibility !== undefined && { visibility }),
      structure: addCoverage(analysis, (id) => powers.box.find(id)),
      parameters: analysis.parameters,
      permissions: analysis.permissions,
      toolsUsed: analysis.permissions.tools,
    },
    "active",
  );
  if (given.name !== undefined) await powers.naming.assign(context, capability.id, given.name);
  workspace.knowledge.graph.observe(spanFacts(capability.id, capability.toolsUsed));
  return (await powers.naming.resolve(context, capability.id)).capability;
}

function readSource({ code, dag, tool }: CreateCapability): CapabilitySource {
  if ([code, dag, tool].filter((each) => each !== undefined).length !== 1)
    throw invalidInput("A capability is one of code, dag and tool.");
  if (code !== undefined) return { type: "code", code };
  if (dag !== undefined) return { type: "dag", dagStructure: dag };
  const { id, defaultArgs } = tool as NonNullable<CreateCapability["tool"]>;
  return { type: "tool", toolId: id, ...(defaultArgs !== undefined && { defaultArgs }) };
}
