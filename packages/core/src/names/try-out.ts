import type { Trial } from "../execute/trial/try-version.js";
import type { Trace } from "../model/trace.js";
import { getCapability } from "../store/capabilities.js";
import type { StoreContext } from "../store/context.js";
import { listTraces } from "../store/traces.js";
import type { NamesPowers } from "./powers.js";

/** So many runs a new version is tried on. */
const TRIED_ON = 10;
/** Looked through to find them. */
const LOOKED_AT = 100;

/** How a capability does on what another one, which it is to replace, has done. */
export async function tryOut(
  context: StoreContext & Pick<NamesPowers, "tryVersion">,
  { before, after }: { before: string; after: string },
): Promise<Trial> {
  const versions = { before: await getCapability(context, before), after: await getCapability(context, after) };
  return context.tryVersion(versions, await listTellingRuns(context, before), context);
}

/** Runs that went well: one for each way through the code, then the newest. */
async function listTellingRuns(context: StoreContext, capabilityId: string): Promise<Trace[]> {
  const traces = await listTraces(context, { capabilityId, limit: LOOKED_AT });
  const good = traces.filter(({ success, feedback }) => success && feedback?.ok !== false);
  const first = new Map(good.map((trace) => [JSON.stringify([trace.executedPath, trace.decisions]), trace]));
  return [...new Set([...first.values(), ...good])].slice(0, TRIED_ON);
}
