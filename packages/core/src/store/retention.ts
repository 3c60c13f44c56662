import type { StoreContext } from "./context.js";

export interface Retention {
  /** Traces older than this are removed. */
  maxAgeMs?: number;
  /** The newest are kept, up to so many bytes of arguments and results. */
  maxBytes?: number;
}

/** Removes old traces, expired results and expired answers. Statistics and edges stay; so does what an unfinished workflow needs. */
export async function retain(
  context: StoreContext,
  { maxAgeMs, maxBytes }: Retention = {},
): Promise<{ traces: number; taskResults: number }> {
  const { org, project } = context.scope;
  const unfinished = "select workflow_id from workflow where status in ('running', 'waiting')";
  return context.database.transaction(async (transaction) => {
    const oldest = maxAgeMs === undefined ? null : new Date(context.now().getTime() - maxAgeMs);
    const traces = await transaction.query(
      `delete from execution_trace where org = $1 and project = $2 and trace_id in (
         select trace_id from (
           select trace_id, started_at, sum(bytes) over (order by started_at desc, trace_id) as total
           from execution_trace where org = $1 and project = $2) ranked
         where started_at < $3::timestamptz or total > $4::float8)
       and (workflow_id is null or workflow_id not in (${unfinished})) returning 1 as gone`,
      [org, project, oldest, maxBytes ?? null],
    );
    const results = await transaction.query(
      `delete from task_result where org = $1 and project = $2 and expires_at <= $3 and workflow_id not in (${unfinished}) returning 1 as gone`,
      [org, project, context.now()],
    );
    await transaction.query(
      "delete from capability_cache using workflow_pattern where pattern_id = capability_id and org = $1 and project = $2 and expires_at <= $3",
      [org, project, context.now()],
    );
    return { traces: traces.length, taskResults: results.length };
  });
}
