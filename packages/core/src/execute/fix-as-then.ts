import type { TraceResolution } from "../model/trace.js";
import { getCapability } from "../store/capabilities.js";
import type { StoreContext } from "../store/context.js";
import type { FixedCalls, Naming } from "./naming.js";

/** Names mean what they meant then; names that were not used then mean what they mean now. */
export async function fixAsThen(
  naming: Naming,
  context: StoreContext,
  { resolutions, called }: { resolutions: readonly TraceResolution[]; called: readonly string[] },
): Promise<FixedCalls> {
  const then = new Map(resolutions.map((each) => [each.called, each.capabilityId]));
  if (called.some((name) => !then.has(name))) return naming.fix(context, called);
  const found = await Promise.all(
    [...then].map(async ([name, id]) => [name, await getCapability(context, id)] as const),
  );
  const capabilities = new Map(found);
  return { find: (name) => capabilities.get(name), resolutions: [...resolutions], warnings: [] };
}
