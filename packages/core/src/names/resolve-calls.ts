import type { Capability } from "../model/capability.js";
import { PmlError } from "../model/error.js";
import { checkSignature } from "../model/signature.js";
import type { TraceResolution } from "../model/trace.js";
import type { StoreContext } from "../store/context.js";
import { shortenFqdn } from "./fqdn.js";
import { parseReference, type Reference } from "./reference.js";
import { type Resolution, resolveReference } from "./resolve.js";

/** Every capability that code may call, through those it calls, each fixed to one version. */
export interface ResolvedCalls {
  /** By the name the code calls it by. */
  find(called: string): Capability | undefined;
  /** To be written into the trace. */
  resolutions: TraceResolution[];
  /** Old names that were used. */
  warnings: string[];
}

interface Call {
  called: string;
  /** Where the code that calls it is at home. */
  org: string;
  project: string;
}

/**
 * Fixes what the names in code stand for, before it runs. `called` is `permissions.capabilities` of its analysis. Names
 * inside a capability of another project are names of that project, but only what the caller may see is found.
 */
export async function resolveCalls(context: StoreContext, called: readonly string[]): Promise<ResolvedCalls> {
  const found = new Map<string, Resolution>();
  const { org, project } = context.scope;
  const waiting: Call[] = called.map((each) => ({ called: each, org, project }));
  for (let call = waiting.pop(); call !== undefined; call = waiting.pop()) {
    const resolution = await resolveReference(context, atHome(call, context));
    const before = found.get(call.called);
    if (before !== undefined && before.capability.id !== resolution.capability.id)
      throw meansTwo(call.called, before, resolution);
    if (before !== undefined) continue;
    checkSignature(resolution.capability);
    found.set(call.called, resolution);
    waiting.push(...listInner(resolution.capability));
  }
  const resolutions = [...found].sort(([a], [b]) => (a < b ? -1 : 1));
  const warnings = resolutions.flatMap(([, { warning }]) => warning ?? []);
  for (const warning of warnings) context.warn(warning, {});
  return {
    find: (name) => found.get(name)?.capability,
    resolutions: resolutions.map(([name, resolution]) => toTrace(name, resolution)),
    warnings,
  };
}

function atHome({ called, org, project }: Call, { scope }: StoreContext): Reference {
  const reference = parseReference(called);
  const isHere = org === scope.org && project === scope.project;
  if (isHere || reference.target.kind !== "name" || reference.target.home !== undefined) return reference;
  return { ...reference, target: { ...reference.target, home: { org, project } } };
}

function listInner({ permissions, org, project }: Capability): Call[] {
  const names = (permissions as { capabilities?: readonly string[] } | undefined)?.capabilities ?? [];
  return names.map((called) => ({ called, org, project }));
}

function toTrace(called: string, { name, fqdn, version, capability, via }: Resolution): TraceResolution {
  return {
    called,
    name,
    ...(fqdn !== undefined && { fqdn }),
    ...(version !== undefined && { version }),
    capabilityId: capability.id,
    signature: capability.signature ?? "",
    via,
  };
}

/** In one run a name is one function; two capabilities of two projects that both say it would get one of theirs. */
function meansTwo(called: string, ...both: readonly Resolution[]): PmlError {
  const fqdns = both.map(({ fqdn, name }) => fqdn ?? name);
  const shown = both.map(({ fqdn, name }) => (fqdn === undefined ? name : shortenFqdn(fqdn)));
  return new PmlError(
    "PML_NAME_AMBIGUOUS",
    `In this run "${called}" would mean ${shown.join(" and ")}. Call one of them by its full name.`,
    { details: { called, fqdns } },
  );
}
