import type { DiscoverRequest } from "../discover/discover.js";
import type { ExecuteRequest } from "../execute/request.js";
import type { TaskResultRequest } from "../execute/task-result.js";
import { invalidInput } from "../model/error.js";
import type { AgentMemory, AgentToolDefinition, AgentToolsOptions } from "./agent-tool.js";
import { APPROVE, DISCOVER, EXECUTE, type Description, GET_TASK_RESULT, REJECT } from "./entry-schemas.js";

/** `discover`, `execute` and what belongs to them. */
export function createEntryTools(
  pml: AgentMemory,
  { scope = {}, conversation }: AgentToolsOptions,
): AgentToolDefinition[] {
  const given = { scope, ...(conversation !== undefined && { conversation }) };
  return [
    define("pml_discover", DISCOVER, (args) => {
      const { type, minScore, ...request } = args;
      const filter = { ...(type !== undefined && { type }), ...(minScore !== undefined && { minScore }) };
      return pml.discover({ ...request, filter, scope } as unknown as DiscoverRequest);
    }),
    define("pml_execute", EXECUTE, (args, options) => pml.execute({ ...given, ...options, ...args } as ExecuteRequest)),
    define("pml_get_task_result", GET_TASK_RESULT, (args) =>
      pml.getTaskResult({ ...(args as unknown as TaskResultRequest), scope }),
    ),
    define("pml_approve", APPROVE, (args, { signal }) =>
      pml.approve(getId(args), { scope, ...(signal !== undefined && { signal }) }),
    ),
    define("pml_reject", REJECT, (args) => {
      const { reason } = args;
      return pml.reject(getId(args), { scope, ...(typeof reason === "string" && { reason }) });
    }),
  ];
}

function define(id: string, described: Description, run: AgentToolDefinition["run"]): AgentToolDefinition {
  const picked: AgentToolDefinition["run"] = async (args, options) => run(pick(described, args), options);
  return { id, readOnly: false, asksPerson: false, ...described, run: picked };
}

/** A model that writes `scope` or `permissions` into its arguments must not get them. */
function pick({ inputSchema }: Description, args: Record<string, unknown>): Record<string, unknown> {
  const known = inputSchema["properties"] as object;
  return Object.fromEntries(Object.entries(args).filter(([key]) => Object.hasOwn(known, key)));
}

function getId({ approvalId }: Record<string, unknown>): string {
  if (typeof approvalId !== "string") throw invalidInput("approvalId must be the id of an approval.");
  return approvalId;
}
