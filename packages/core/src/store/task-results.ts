import { checkId, checkText } from "../model/text.js";
import type { RunRecord } from "../model/trace.js";
import { writeJson } from "./capability-row.js";
import type { StoreContext } from "./context.js";
import type { Queryable } from "./database/database.js";

const DEFAULT_TTL_MS = 60 * 60 * 1000;
const MAX_TASK_ID_LENGTH = 500;

export async function writeTaskResults(transaction: Queryable, context: StoreContext, run: RunRecord): Promise<void> {
  const { workflowId } = run.trace;
  if (workflowId === undefined) return;
  // A task that was done twice has one result, the last.
  const results = new Map((run.taskResults ?? []).map(({ taskId, result }) => [taskId, writeJson(result)]));
  if (results.size === 0) return;
  for (const taskId of results.keys()) checkText("A task's id", taskId, MAX_TASK_ID_LENGTH);
  const expiresAt = new Date(context.now().getTime() + (run.taskResultTtlMs ?? DEFAULT_TTL_MS));
  await transaction.query(
    `insert into task_result (workflow_id, task_id, org, project, result, expires_at)
     select $1::uuid, id, $4, $5, result::json, $6::timestamptz from unnest($2::text[], $3::text[]) as task (id, result)
     on conflict (workflow_id, task_id) do update set result = excluded.result, expires_at = excluded.expires_at`,
    [workflowId, [...results.keys()], [...results.values()], context.scope.org, context.scope.project, expiresAt],
  );
}

/** `{ result }`, or undefined when it is not there or has expired. What an unfinished workflow needs does not expire. */
export async function findTaskResult(
  context: StoreContext,
  workflowId: string,
  taskId: string,
): Promise<{ result: unknown } | undefined> {
  const [row] = await context.database.query<{ result: unknown }>(
    `select result from task_result where workflow_id = $1 and task_id = $2 and org = $3 and project = $4
       and (expires_at > $5 or exists (select 1 from workflow where workflow_id = $1 and status in ('running', 'waiting')))`,
    [
      checkId("The workflow's id", workflowId),
      checkText("The task's id", taskId, MAX_TASK_ID_LENGTH),
      context.scope.org,
      context.scope.project,
      context.now(),
    ],
  );
  return row && { result: row.result ?? undefined };
}
