import type { ExecuteAnswer, Pml, Tool } from "@pml/core";

const TEXT = { type: "object", properties: { text: { type: "string" } }, required: ["text"] };

/** Tools that read, one that writes, and one that fails. */
export function createTextTools(): Tool[] {
  return [
    tool("text:trim", ({ text }) => ({ text: String(text).trim() })),
    tool("text:upper", ({ text }) => ({ text: String(text).toUpperCase(), length: String(text).length })),
    tool("text:fail", ({ text }) => {
      if (text === "bad") throw new Error("it is bad");
      return { text };
    }),
    tool("note:put", () => ({ put: true }), false),
  ];
}

function tool(id: string, execute: Tool["execute"], reads = true): Tool {
  return {
    id,
    description: id.replace(":", " "),
    inputSchema: TEXT,
    ...(reads && { annotations: { readOnlyHint: true } }),
    execute,
  };
}

/** Something to run; the same program may be run for one of two intents. */
export interface Step {
  program: number;
  intent: 0 | 1;
  /** What the text is. */
  text: string;
  /** It is said to have been wrong. */
  rejected: boolean;
}

const code = (text: string) => ({ code: text });
const dag = {
  tasks: [task("a", "text:trim", { $param: "text" }), task("b", "text:upper", { $from: "a", path: ["text"] }, ["a"])],
};

function task(id: string, tool: string, text: unknown, dependsOn: string[] = []): Record<string, unknown> {
  return { id, tool, arguments: { text }, dependsOn, type: "mcp_tool", metadata: {} };
}

/** Two intents each, the same twice where what is run joins another of its shape. */
const PROGRAMS: { intents: [string, string]; given: object }[] = [
  { intents: ["tidy some words", "make words tidy"], given: code(`return mcp.text.trim({ text: args.text })`) },
  {
    intents: ["shout what was tidied", "tidy and shout"],
    given: code(`const a = await mcp.text.trim({ text: args.text }); return mcp.text.upper({ text: a.text })`),
  },
  { intents: ["shout one", "shout one"], given: code(`return mcp.text.upper({ text: "one" })`) },
  { intents: ["shout one", "shout one"], given: code(`return mcp.text.upper({ text: "two" })`) },
  { intents: ["try it", "attempt it"], given: code(`return mcp.text.fail({ text: args.text })`) },
  {
    intents: ["try it and go on", "go on"],
    given: code(`try { await mcp.text.fail({ text: args.text }) } catch {} return mcp.text.trim({ text: args.text })`),
  },
  {
    intents: ["note what matters", "put a note"],
    given: code(`const a = await mcp.text.trim({ text: args.text });
if (a.text === "bad") await mcp.note.put({ text: "bad" }); else await mcp.note.put({ text: a.text });
return a`),
  },
  { intents: ["a plan of two", "two steps"], given: { dag } },
  {
    intents: ["shout by another", "have it shouted"],
    given: code(`return capabilities["text:shout_words"]({ text: args.text })`),
  },
  { intents: ["by name", "by its name"], given: { capability: "text:shout_words" } },
  {
    intents: ["tidy words under a name", "tidy words and name it"],
    given: { ...code(`return mcp.text.trim({ text: args.text })`), name: "text:tidy_words" },
  },
];

export const PROGRAM_COUNT: number = PROGRAMS.length;

/** Runs the steps one after the other, and gives the trace of each. */
export async function runSteps(pml: Pml, steps: readonly Step[]): Promise<string[]> {
  await pml.capabilities.create({
    intent: "shout",
    code: `return mcp.text.upper({ text: args.text })`,
    name: "text:shout_words",
  });
  const traces: string[] = [];
  for (const { program, intent, text, rejected } of steps) {
    const { intents, given } = PROGRAMS[program] ?? { intents: ["", ""], given: {} };
    const key = "capability" in given ? "args" : "context";
    const answer = (await pml.execute({
      intent: intents[intent],
      ...given,
      [key]: { text },
    } as never)) as ExecuteAnswer;
    const { traceId = "" } = answer as { traceId?: string };
    traces.push(traceId);
    if (rejected && traceId !== "") await pml.feedback({ traceId, ok: false });
  }
  return traces;
}

/** Tables of what was learned, without what only says when, how long, or by which id. */
const TABLES: Record<string, string[]> = {
  workflow_pattern: ["pattern_id", "total_duration_ms", "last_used_at", "created_at", "updated_at"],
  capability_dependency: ["created_at", "last_observed"],
  capability_example: ["created_at"],
  tool_dependency: ["created_at", "last_observed"],
  execution_trace: ["trace_id", "recording", "bytes", "duration_ms", "started_at", "workflow_id"],
  task_result: ["workflow_id", "expires_at"],
  intent_memory: ["intent_id", "last_used_at"],
  capability_records: ["id", "hash", "created_at", "updated_at"],
  capability_versions: ["id", "capability_fqdn", "updated_at"],
  capability_rename_history: ["id", "capability_fqdn", "renamed_at"],
  adaptive_threshold: ["updated_at"],
  learned_weights: ["updated_at"],
  learned_path: ["path_key"],
  learned_type: [],
  learned_source: ["source_key"],
  tool_usage: ["total_duration_ms", "last_used_at"],
  embedding: [],
  learned_from: [],
  capability_cache: ["id", "created_at", "expires_at"],
};

const OF_PROJECT: Record<string, string> = {
  capability_dependency: "from_capability_id in (select pattern_id from workflow_pattern where project = $1)",
  capability_versions: "capability_id in (select pattern_id from workflow_pattern where project = $1)",
  capability_rename_history: "capability_id in (select pattern_id from workflow_pattern where project = $1)",
  capability_cache: "capability_id in (select pattern_id from workflow_pattern where project = $1)",
  learned_from: "trace_id in (select trace_id from execution_trace where project = $1)",
};

/** Everything learned, comparable between two memories: capabilities by their hash, rows in an order of their own. */
export async function dump(pml: Pml): Promise<Record<string, string[]>> {
  const { database, scope } = pml.store.context;
  const read = (table: string) =>
    database.query<Record<string, unknown>>(`select * from ${table} where ${OF_PROJECT[table] ?? "project = $1"}`, [
      scope.project,
    ]);
  // What is found in the names of others comes after them.
  const names = new Map<string, string>();
  for (const { path_key, nodes } of await read("learned_path")) names.set(String(path_key), JSON.stringify(nodes));
  for (const { source_key, subject, source } of await read("learned_source"))
    names.set(String(source_key), JSON.stringify([subject, source]));
  for (const { intent_id, intent } of await read("intent_memory")) names.set(String(intent_id), String(intent));
  for (const { id, display_name } of await read("capability_records")) names.set(String(id), String(display_name));
  for (const { trace_id, intent, args } of await read("execution_trace"))
    names.set(String(trace_id), JSON.stringify([intent, args]));
  for (const { pattern_id, code_hash } of await read("workflow_pattern"))
    names.set(String(pattern_id), String(code_hash));
  const rename = createRename(names, scope.project);
  const dumped: Record<string, string[]> = {};
  for (const [table, aside] of Object.entries(TABLES)) {
    const rows = await read(table);
    dumped[table] = rows
      .map((row) => rename(Object.fromEntries(Object.entries(row).filter(([column]) => !aside.includes(column)))))
      .sort();
  }
  return dumped;
}

/** The graph as it is drawn anew from what is stored, without times; its parts in an order of their own. */
export async function dumpGraph(pml: Pml): Promise<unknown> {
  const { database, scope } = pml.store.context;
  const rows = await database.query<{ id: string; hash: string }>(
    "select pattern_id::text as id, code_hash as hash from workflow_pattern where project = $1",
    [scope.project],
  );
  const rename = createRename(new Map(rows.map(({ id, hash }) => [id, hash])), scope.project);
  return sortDeep(JSON.parse(rename(pml.graph.snapshot())));
}

const TIMES = /^(.*Ms|at|started_at|random|clock)$/;

function createRename(names: ReadonlyMap<string, string>, project: string): (value: unknown) => string {
  return (value) => {
    let text = JSON.stringify(value, (key, each: unknown) => (TIMES.test(key) ? undefined : each));
    for (const [id, name] of names) text = text.replaceAll(id, JSON.stringify(name).slice(1, -1));
    return text
      .replaceAll(project, "project")
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "id");
  };
}

function sortDeep(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map(sortDeep).map((each) => [JSON.stringify(each), each] as const);
    return items.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, each]) => each);
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, each]) => [key, sortDeep(each)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}
