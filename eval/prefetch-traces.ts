import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import type { Tool } from "@pml/core";

import { DATA_FOLDER, type DataSet } from "./data.js";

/** A recorded plan as the code that a model would write for it: one call after the other. */
export interface Replayed {
  task: string;
  intent: string;
  code: string;
  context: Record<string, unknown>;
}

interface Step {
  tool: string;
  args: readonly string[];
}

const LEAST_MS = 10;
const SPREAD_MS = 40;
/** Names of tools of ultratool that say that they look something up. */
const LOOKS_UP =
  /search|query|info|check|status|track|recommend|suggest|list|read|get_|weather|forecast|plan|calculat|view/;

/** Tools that take as long as simulated tools take, and answer what nobody else answers. `isSlow` switches that on. */
export function simulateTools({ name, tools }: DataSet, isSlow: () => boolean, note: (ms: number) => void): Tool[] {
  return tools.map(({ id }) => ({
    id: toolId(name, id),
    description: id,
    ...((name === "processtbench" || LOOKS_UP.test(id)) && { annotations: { readOnlyHint: true } }),
    async execute(args, { signal }) {
      const output = `${id} of ${JSON.stringify(args)}`;
      if (!isSlow()) return { output };
      const ms = LEAST_MS + (hash(id) % SPREAD_MS);
      await new Promise<void>((done) => {
        const timer = setTimeout(done, ms);
        signal.addEventListener("abort", () => (clearTimeout(timer), done()));
      });
      if (!signal.aborted) note(ms);
      return { output };
    },
  }));
}

/** The plans of a set, from its traces where it has some. */
export function listPlans(set: DataSet, file = "traces.jsonl"): Replayed[] {
  const intents = new Map(set.tasks.map(({ id, intent }) => [id, intent]));
  const path = join(DATA_FOLDER, set.name, file);
  if (!existsSync(path)) return set.tasks.map((task) => writeChain(set.name, task));
  const traces = readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { task: string; steps: Step[] });
  return traces.map(({ task, steps }) => {
    return { task, intent: intents.get(task) ?? task, code: writeSteps(set.name, steps), context: {} };
  });
}

/** `"<Voice Changer>"` stands for what that tool gave last; anything else was said by the user. */
function writeSteps(set: string, steps: readonly Step[]): string {
  const last = new Map<string, number>();
  const lines = steps.map(({ tool, args }, at) => {
    const fields = args.map((value, index) => {
      const from = last.get(value.slice(1, -1));
      return `a${index + 1}: ${value.startsWith("<") && from !== undefined ? `r${from}.output` : JSON.stringify(value)}`;
    });
    last.set(tool, at);
    return `const r${at} = await ${callOf(set, tool)}({ ${fields.join(", ")} });`;
  });
  return [...lines, `return r${steps.length - 1}.output;`].join("\n");
}

/** Without recorded arguments, each call takes the request, and what the call before it gave where data flows. */
function writeChain(set: string, { id, intent, tools, edges }: DataSet["tasks"][number]): Replayed {
  const lines = tools.map((tool, at) => {
    const from = (edges ?? []).find(([source, target]) => target === tool && tools.indexOf(source) < at)?.[0];
    const input = from === undefined ? "" : `, from: r${tools.indexOf(from)}.output`;
    return `const r${at} = await ${callOf(set, tool)}({ request${input} });`;
  });
  const code = [...lines, `return r${tools.length - 1}.output;`].join("\n");
  return { task: id, intent, code, context: { request: intent } };
}

function callOf(set: string, tool: string): string {
  return `mcp.${set}[${JSON.stringify(toolId(set, tool).slice(set.length + 1))}]`;
}

function toolId(set: string, tool: string): string {
  return `${set}:${tool.replaceAll(/\s+/g, "_")}`;
}

function hash(text: string): number {
  let value = 7;
  for (const letter of text) value = (Math.imul(value, 31) + letter.charCodeAt(0)) >>> 0;
  return value;
}
