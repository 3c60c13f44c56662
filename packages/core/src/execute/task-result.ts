import { PmlError } from "../model/error.js";
import { isOmitted, reviveValue } from "../model/kept-value.js";
import type { Scope } from "../model/scope.js";
import { checkCount, checkText } from "../model/text.js";
import type { StoreContext } from "../store/context.js";
import { findTaskResult } from "../store/task-results.js";

export interface TaskResultRequest {
  workflowId: string;
  taskId: string;
  /** In characters of the text. Default 0. */
  offset?: number;
  /** Default: all of it. */
  limit?: number;
  /** `raw`: compact JSON. `pretty`: indented. Default `raw`. */
  format?: "raw" | "pretty";
  scope?: Partial<Scope>;
}

export interface TaskResultPage {
  /** The value itself, where all of it was asked for. */
  result?: unknown;
  text: string;
  /** Characters in all. */
  size: number;
  /** Where to go on; absent at the end. */
  nextOffset?: number;
}

/** The full result of one call of a run, until it expires. */
export async function getTaskResult(
  context: StoreContext,
  { workflowId, taskId, offset = 0, limit, format = "raw" }: TaskResultRequest,
): Promise<TaskResultPage> {
  const found = await findTaskResult(context, workflowId, checkText("The task's id", taskId, 1000));
  if (found === undefined || isOmitted(found.result)) {
    const message = `There is no result of ${taskId} in workflow ${workflowId}: it was never there, or it has expired.`;
    throw new PmlError("PML_NOT_FOUND", message, { details: { workflowId, taskId } });
  }
  const result = reviveValue(found.result);
  const text = JSON.stringify(result, null, format === "pretty" ? 2 : undefined) ?? "";
  const from = checkCount("The offset", offset, { min: 0, max: Number.MAX_SAFE_INTEGER });
  const to =
    limit === undefined ? text.length : from + checkCount("The limit", limit, { min: 1, max: Number.MAX_SAFE_INTEGER });
  const isWhole = from === 0 && to >= text.length;
  return {
    ...(isWhole && { result }),
    text: text.slice(from, to),
    size: text.length,
    ...(to < text.length && { nextOffset: to }),
  };
}
