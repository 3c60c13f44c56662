import type { ExecuteRequest } from "@pml/core";

import { listAway } from "./away.js";
import { EXECUTE_ANSWER } from "./execute-answer.js";
import {
  anyObject,
  answerOf,
  choice,
  count,
  flag,
  type JsonSchema,
  listOf,
  objectOf,
  READS,
  type StdCall,
  type StdTool,
  text,
  texts,
  WRITES,
} from "./std-tool.js";

const discover: StdTool = {
  id: "pml:discover",
  title: "Find tools and capabilities",
  description:
    "Finds tools and learned capabilities for an intent, the likeliest first. Call it before you write code: what was done before can be called by its name.",
  input: objectOf(
    {
      intent: text("What you want to do, in a sentence."),
      filter: objectOf({
        type: choice(["tool", "capability", "all"], "Default all."),
        min_score: { type: "number", minimum: 0, maximum: 1, description: "Leave out what is less likely." },
      }),
      limit: count("Default 10.", 1),
      offset: count("For the next page."),
      tools_in_use: texts("Tools you use already: what goes with them comes first."),
      detail: choice(["summary", "full"], "summary leaves schemas and sources out."),
    },
    ["intent"],
  ),
  output: answerOf({
    results: listOf(
      "Tools and capabilities, with score and reason; available: false while the server of a tool is away.",
    ),
    total: count("In all."),
  }),
  hints: READS,
  async run({ pml, scope, servers, args }) {
    const request = args as unknown as Parameters<typeof pml.discover>[0];
    const { results, total } = await pml.discover({ ...request, ...(scope && { scope }) });
    const away = await listAway({ pml, servers });
    return { results: results.map((each) => (away.has(each.id) ? { ...each, available: false } : each)), total };
  },
};

const execute: StdTool = {
  id: "pml:execute",
  title: "Run code, a capability or a plan",
  description:
    "Runs JavaScript that calls tools as `await mcp.server.tool({...})` and capabilities as `await capabilities.ns.name({...})`, or a learned capability with args, or a DAG. " +
    "With an intent and a context it runs what served that intent before; with an intent alone it suggests. What works is remembered. Give one of code, dag and capability.",
  input: objectOf({
    intent: text("What the user wants, in their words. It is what the run is found by next time."),
    code: text("JavaScript or TypeScript. Top-level await and return. Inputs come in `args`."),
    dag: anyObject("Tasks with tool, arguments and depends_on, as suggestions have them."),
    capability: text("Name of a capability, as fs:read_json; perhaps with a version, as fs:read_json@v1."),
    args: anyObject("Arguments of the capability, over its defaults."),
    context: anyObject("Inputs of code or dag; or what to run the best known capability with."),
    name: text("Name for what is learned from code: namespace:action_target."),
    description: text("What it does, for whoever finds it."),
    per_layer_validation: flag("Pause a DAG between its layers."),
    fallback: flag("If the capability fails, run the best alternative."),
    cache: flag("False: do not answer from a cache."),
    learn: flag("False: learn nothing from this run."),
  }),
  output: EXECUTE_ANSWER,
  hints: { readOnlyHint: false, openWorldHint: true },
  run: ({ args: { dag, ...args }, ...call }) =>
    call.pml.execute({ ...args, ...(dag !== undefined && { dag }), ...runOptions(call) } as unknown as ExecuteRequest),
};

const answerApproval: StdTool = {
  id: "pml:answer_approval",
  title: "Answer what a run asks",
  description:
    "Lets a run go on that answered approval_required, or ends it. Only after the user has seen what will be called and has answered; never decide it yourself.",
  input: objectOf(
    {
      id: text("approval.id, or the workflow_id."),
      approved: flag("Whether the user agrees."),
      tools: texts("Only these of the tools that were asked for."),
      reason: text("Why not."),
      context: anyObject("Inputs again, where they held secrets and were not kept."),
    },
    ["id", "approved"],
  ),
  output: EXECUTE_ANSWER,
  hints: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
  async run({ pml, args, scope, signal, onEvent }) {
    const { id, approved, tools, reason, context } = args as unknown as Answer;
    const scoped = scope === undefined ? {} : { scope };
    if (!approved) return pml.reject(id, { ...scoped, ...(reason !== undefined && { reason }) });
    return pml.approve(id, { ...scoped, signal, onEvent, ...(tools && { tools }), ...(context && { context }) });
  },
};

interface Answer {
  id: string;
  approved: boolean;
  tools?: string[];
  reason?: string;
  context?: Record<string, unknown>;
}

const getTaskResult: StdTool = {
  id: "pml:get_task_result",
  title: "Fetch a full result",
  description:
    "The full result of one task of a run, of which the answer showed the first 240 characters. In pieces, if you like.",
  input: objectOf(
    {
      workflow_id: text("Of the run."),
      task_id: text("Of the task."),
      offset: count("Where to begin, in characters."),
      limit: count("How many characters.", 1),
      format: choice(["raw", "pretty"], "Default raw."),
    },
    ["workflow_id", "task_id"],
  ),
  output: answerOf(
    {
      text: text("The JSON, or the piece of it."),
      size: count("Characters in all."),
      next_offset: count("Where to go on."),
    },
    ["text", "size"],
  ),
  hints: READS,
  run: ({ pml, scope, args }) =>
    pml.getTaskResult({ ...(args as unknown as Parameters<typeof pml.getTaskResult>[0]), ...(scope && { scope }) }),
};

export const CURATE_INPUT: JsonSchema = objectOf(
  {
    strategy: choice(
      ["suggest", "auto", "apply"],
      "suggest changes nothing, auto gives the names it suggests, apply those in renames.",
    ),
    filter: objectOf({
      unnamed_only: flag("Default true."),
      namespace: text("As fs."),
      min_usage: count("Used so often or more."),
    }),
    renames: {
      type: "array",
      items: objectOf({ id: text("Of the capability."), name: text("namespace:action_target") }, ["id", "name"]),
    },
    limit: count("At the most.", 1),
  },
  ["strategy"],
);

export const CURATE_OUTPUT: JsonSchema = answerOf({
  suggestions: listOf("Names, with reasons."),
  applied: listOf("What was named."),
  failed: listOf("What was not, and why."),
  parents: listOf("Near-duplicates that one capability could stand for."),
});

export const curate = ({ names, args }: StdCall): Promise<object> =>
  names.curate(args as unknown as Parameters<typeof names.curate>[0]);

const curateCapabilities: StdTool = {
  id: "pml:curate_capabilities",
  title: "Name what has no name",
  description: "Suggests names for capabilities that have none, or gives them.",
  input: CURATE_INPUT,
  output: CURATE_OUTPUT,
  hints: WRITES,
  run: curate,
};

const listCapabilities: StdTool = {
  id: "pml:list_capabilities",
  title: "List capabilities",
  description: "What has been learned, with names, usage and parameters.",
  input: objectOf({
    namespace: text("Only of this namespace, as fs."),
    named_only: flag("Leave out what has no name yet."),
    sort_by: choice(["name", "usage", "created"], "Default name."),
    limit: count("Default 100.", 1),
    offset: count("For the next page."),
  }),
  output: answerOf({ capabilities: listOf("id, name, description, usage_count, success_rate, parameters.") }),
  hints: READS,
  run: async ({ names, args }) => ({ capabilities: await names.listCapabilities(args) }),
};

export const PML_TOOLS: readonly StdTool[] = [
  discover,
  execute,
  answerApproval,
  getTaskResult,
  curateCapabilities,
  listCapabilities,
];

/** What every run of a connection is started with. */
export function runOptions({ scope, signal, onEvent, conversation }: Omit<StdCall, "args">): object {
  return { signal, onEvent, conversation, ...(scope && { scope }) };
}
