import type { Task } from "./data.js";

/** `plain`: every reference stands by itself in a field. `varied`: as agents also write it. */
export type Style = "plain" | "varied";

export interface AgentCode {
  code: string;
  tools: { id: string }[];
  /** The data flow that the code has, as `tool → tool`. */
  flows: Set<string>;
}

/** Code that serves a task as an agent would: a call for each tool, fed from earlier results. */
export function writeAgentCode(server: string, task: Task, style: Style): AgentCode | undefined {
  const order = orderByFlow(task);
  if (order === undefined) return undefined;
  const idOf = (tool: string): string => `${server}:${nameOf(tool)}`;
  const calls = order.map((tool, position) => {
    const sources = listSources(task, tool).map((source) => `r${order.indexOf(source)}`);
    const call = { name: nameOf(tool), server, position, sources, literals: literalsOf(task, tool) };
    return style === "plain" ? writePlainCall(call) : writeVariedCall(call);
  });
  return {
    code: `${calls.join("\n")}\nreturn r${order.length - 1};\n`,
    tools: order.map((tool) => ({ id: idOf(tool) })),
    flows: new Set(order.flatMap((tool) => listSources(task, tool).map((source) => `${idOf(source)} → ${idOf(tool)}`))),
  };
}

interface Call {
  server: string;
  name: string;
  position: number;
  sources: string[];
  literals: Record<string, unknown>;
}

function writePlainCall({ server, name, position, sources, literals }: Call): string {
  const fields = sources.map((source, at) => `source${at}: ${source}.output`);
  return `const r${position} = await mcp.${server}.${name}({ ${[...fields, ...writeLiterals(literals)].join(", ")} });`;
}

/** The same data in another spelling for each source, in turn. */
function writeVariedCall({ server, name, position, sources, literals }: Call): string {
  const written = sources.map((source, at) =>
    (VARIATIONS[(position + at) % VARIATIONS.length] ?? aliased)(source, position),
  );
  const before = written.map(({ before }) => before).filter((line) => line !== "");
  const fields = written.map(({ field }, at) => (field.startsWith("...") ? field : `source${at}: ${field}`));
  const call = `const r${position} = await mcp[${JSON.stringify(server)}].${name}({ ${[...fields, ...writeLiterals(literals)].join(", ")} });`;
  return [...before, call].join("\n");
}

type Variation = (source: string, position: number) => { before: string; field: string };

const aliased: Variation = (source, position) => ({
  before: `const alias${position}${source} = ${source};`,
  field: `alias${position}${source}.output`,
});

const VARIATIONS: Variation[] = [
  aliased,
  (source) => ({ before: "", field: `\`from \${${source}.output}\`` }),
  (source, position) => ({
    before: `const { output: taken${position}${source} } = ${source};`,
    field: `taken${position}${source}`,
  }),
  (source) => ({ before: "", field: `...${source}` }),
  (source) => ({ before: "", field: `{ nested: [${source}.output] }` }),
  (source) => ({ before: "", field: `${source}.items.filter((item) => item.ok).map((item) => item.id)` }),
];

function writeLiterals(literals: Record<string, unknown>): string[] {
  return Object.entries(literals).map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`);
}

/** Sources first; undefined when a tool is called twice or tools wait for each other, so that names do not tell. */
function orderByFlow(task: Task): string[] | undefined {
  if (new Set(task.tools).size < task.tools.length) return undefined;
  const ordered: string[] = [];
  const waiting = [...task.tools];
  while (waiting.length > 0) {
    const ready = waiting.findIndex((tool) => listSources(task, tool).every((source) => ordered.includes(source)));
    if (ready === -1) return undefined;
    ordered.push(...waiting.splice(ready, 1));
  }
  return ordered;
}

function listSources(task: Task, tool: string): string[] {
  const sources = (task.edges ?? []).filter(([, to]) => to === tool).map(([from]) => from);
  return [...new Set(sources)];
}

/** What the data set says the call was given, without what refers to other calls there. */
function literalsOf(task: Task, tool: string): Record<string, unknown> {
  const at = task.tools.indexOf(tool);
  const given = task.calls?.[at]?.arguments ?? task.args?.[at] ?? {};
  const entries = Array.isArray(given)
    ? given.map((value, index) => [`input${index}`, value] as const)
    : Object.entries(given);
  return Object.fromEntries(entries.filter(([, value]) => !refersToCall(value)));
}

function refersToCall(value: unknown): boolean {
  return /\$var|<node-|API_call_/.test(JSON.stringify(value));
}

function nameOf(tool: string): string {
  return tool.replaceAll(/\W+/g, "_").replace(/^(?=\d)/, "_");
}
