import type { AgentTool } from "./agent-tool.js";

export type Description = Pick<AgentTool, "description" | "inputSchema"> &
  Partial<Pick<AgentTool, "readOnly" | "asksPerson">>;

const text = (description: string): object => ({ type: "string", description });
const count = (description: string): object => ({ type: "integer", minimum: 0, description });
const record = (description: string): object => ({ type: "object", additionalProperties: true, description });
const input = (properties: Record<string, object>, required: readonly string[]): Record<string, unknown> => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});

export const DISCOVER: Description = {
  description:
    "Find tools, and procedures that have worked before, for what you want to do. Ask this first. Tools are called from code as mcp.server.name({...}), procedures as capabilities.namespace.name({...}) or by pml_execute.",
  inputSchema: input(
    {
      intent: text("What you want to do, in plain words."),
      type: { enum: ["tool", "capability", "all"], description: "What to look for. Default: all." },
      minScore: { type: "number", minimum: 0, maximum: 1, description: "Leave out what is less likely." },
      limit: { type: "integer", minimum: 1, maximum: 200, description: "At most so many. Default: 10." },
      offset: count("Leave out so many."),
    },
    ["intent"],
  ),
  readOnly: true,
};

export const EXECUTE: Description = {
  description:
    "Do something. Give `intent` and `code` to run code (await mcp.server.name({...}); return what you need), `intent` and `context` to run what has worked for such an intent before, or `capability` and `args` to run a procedure by name. With `intent` alone you get suggestions. Code that works is remembered. status `approval_required` means that a person is asked first.",
  inputSchema: input(
    {
      intent: text("What is to be done, in plain words. Needed unless `capability` is given."),
      code: text("JavaScript or TypeScript. Top-level await and return; tools as mcp.server.name({...})."),
      context: record("Values: for code, its variables; without code, what to run the procedure with."),
      capability: text("Name of a procedure, as fs:read_json."),
      args: record("What to run that procedure with."),
      name: text("For new code: what to remember it as, namespace:action_target."),
      description: text("For new code: what it does, for whoever finds it later."),
    },
    [],
  ),
};

export const GET_TASK_RESULT: Description = {
  description: "The full result of one task of a run, where only a preview was shown.",
  inputSchema: input(
    {
      workflowId: text("Of the run."),
      taskId: text("Of the task in it."),
      offset: count("Where to begin, in characters."),
      limit: { type: "integer", minimum: 1, description: "How many characters." },
    },
    ["workflowId", "taskId"],
  ),
  readOnly: true,
};

const APPROVAL_ID = text("`approval.id` of the answer that asked.");

export const APPROVE: Description = {
  description: "Let a run go on that waits for approval. Only after a person has agreed.",
  inputSchema: input({ approvalId: APPROVAL_ID }, ["approvalId"]),
  asksPerson: true,
};

export const REJECT: Description = {
  description: "End a run that waits for approval.",
  inputSchema: input({ approvalId: APPROVAL_ID, reason: text("Why.") }, ["approvalId"]),
};
