import type { Capability, NewCapability } from "../model/capability.js";
import type { Visibility } from "../model/scope.js";
import { putCapability } from "../store/capabilities.js";
import type { StoreContext } from "../store/context.js";
import { assign } from "./assign.js";
import { checkDisplayName } from "./display-name.js";
import { ensureFree } from "./free-name.js";
import { fromAnalysis } from "./new-capability.js";
import type { NamesPowers } from "./powers.js";
import type { CapabilityRecord } from "./record.js";
import { resolve } from "./resolve.js";

export interface Fork {
  /** Whatever can be resolved, of this project or shared with it. */
  source: string;
  name: string;
  /** Instead of the code of the source. */
  code?: string;
  tags?: readonly string[];
  visibility?: Visibility;
}

/** A copy under a name of its own, to be changed without changing the source. It has yet to work here. */
export async function fork(
  context: StoreContext & Pick<NamesPowers, "analyse">,
  { source, name, code, tags, visibility = "project" }: Fork,
): Promise<CapabilityRecord> {
  checkDisplayName(name);
  await ensureFree(context.database, context, { name });
  const origin = await resolve(context, source);
  const content = code === undefined ? contentOf(origin.capability) : fromAnalysis(context.analyse(code));
  const { intent, description } = origin.capability;
  const { capability } = await putCapability(
    context,
    {
      ...content,
      intent,
      visibility,
      ...(description !== undefined && { description }),
    },
    "version",
  );
  const from = origin.fqdn ?? origin.name;
  return assign(context, {
    capabilityId: capability.id,
    name,
    parentId: from,
    forkedFrom: from,
    changeSummary: `Forked from ${from}`,
    ...(tags !== undefined && { tags }),
    ...(visibility !== "private" && { visibility }),
  });
}

/** Everything of a capability that says what it does. */
export function contentOf(capability: Capability): Omit<NewCapability, "intent"> & { hash: string } {
  const { hash, shape, source, parameterisedCode, structure, parameters, permissions, cacheConfig } = capability;
  const optional = { shape, parameterisedCode, structure, parameters, permissions, cacheConfig };
  const present = Object.entries(optional).filter(([, value]) => value !== undefined);
  return { hash, source, toolsUsed: capability.toolsUsed, ...Object.fromEntries(present) };
}
