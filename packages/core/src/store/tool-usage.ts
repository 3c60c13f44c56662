import type { NewTrace } from "../model/trace.js";
import type { StoreContext } from "./context.js";
import type { Queryable } from "./database/database.js";

/** One row a tool, in the order of ids, so that two runs never wait for each other in a ring. */
export async function countTools(transaction: Queryable, { scope }: StoreContext, trace: NewTrace): Promise<void> {
  const used = new Map<string, { tool: string; calls: number; failures: number; duration: number }>();
  for (const { tool, success, durationMs } of trace.tasks ?? []) {
    const sum = used.get(tool) ?? { tool, calls: 0, failures: 0, duration: 0 };
    sum.calls++;
    sum.failures += success ? 0 : 1;
    sum.duration += durationMs;
    used.set(tool, sum);
  }
  if (used.size === 0) return;
  const rows = [...used.values()].sort((a, b) => (a.tool < b.tool ? -1 : 1));
  await transaction.query(
    `insert into tool_usage as used (org, project, tool_id, calls, failures, total_duration_ms, last_used_at)
     select $1, $2, tool, calls, failures, duration, $4::timestamptz
     from json_to_recordset($3::json) as given (tool text, calls int, failures int, duration float8)
     on conflict (org, project, tool_id) do update set calls = used.calls + excluded.calls, failures = used.failures + excluded.failures,
       total_duration_ms = used.total_duration_ms + excluded.total_duration_ms, last_used_at = greatest(used.last_used_at, excluded.last_used_at)`,
    [scope.org, scope.project, JSON.stringify(rows), trace.startedAt],
  );
}
