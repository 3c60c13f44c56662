import type { Trace } from "../model/trace.js";
import type { StoreContext } from "../store/context.js";
import { listTraces } from "../store/traces.js";
import type { NamesPowers, SampleTrace, Verdict } from "./powers.js";
import { resolve } from "./resolve.js";

/** So many runs are replayed, or travel in a bundle. */
const SAMPLES = 3;
/** Looked through to find them. */
const LOOKED_AT = 20;

/** Replays what a name stands for; only if that passes does it count as verified. */
export async function verify(context: StoreContext & Pick<NamesPowers, "verify">, name: string): Promise<Verdict> {
  const { capability } = await resolve(context, name);
  const samples = await listSamples(context, capability.id);
  if (samples.length === 0) return { ok: false, reason: "There is no successful run of it to replay. Run it once." };
  const verdict = await context.verify(capability, samples, context);
  if (verdict.ok) await markVerified(context, capability.id);
  return verdict;
}

/** Called after a replay that passed, and nowhere else. */
export async function markVerified({ database, scope, now }: StoreContext, capabilityId: string): Promise<void> {
  await database.query(
    "update workflow_pattern set verified_at = $4 where pattern_id = $1 and org = $2 and project = $3",
    [capabilityId, scope.org, scope.project, now()],
  );
}

/** Successful runs of this project, newest first. */
export async function listSamples(context: StoreContext, capabilityId: string): Promise<SampleTrace[]> {
  const traces = await listTraces(context, { capabilityId, limit: LOOKED_AT });
  return traces
    .filter(({ success }) => success)
    .slice(0, SAMPLES)
    .map(toSample);
}

function toSample({ args, result, tasks, executedPath, decisions, recording }: Trace): SampleTrace {
  const kept = tasks.map(({ taskId, nodeId, iteration, tool, args, result, success, error }) => ({
    taskId,
    tool,
    args,
    result,
    success,
    ...(nodeId !== undefined && { nodeId }),
    ...(iteration !== undefined && { iteration }),
    ...(error !== undefined && { error }),
  }));
  const sample = { args: args ?? {}, result: result ?? null, tasks: kept, executedPath, decisions };
  return recording === undefined ? sample : { ...sample, recording };
}
