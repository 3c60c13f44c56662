import type { Analysis } from "@pml/analyzer";
import { type JsonSchema, type LearnedType, mergeTypes, typeOfValue, typeToSchema } from "@pml/graph";

import { reviveValue } from "../../model/kept-value.js";
import type { NewTool } from "../../model/tool.js";
import type { Trace } from "../../model/trace.js";
import { listReads } from "../mock-reads.js";

/** A tool that code can call no more, as it was used. */
export interface OldTool {
  readonly id: string;
  /** As it is stored: of one that is still there, what it has become. */
  readonly tool: NewTool;
  /** What the code gave it. */
  readonly given: JsonSchema;
  /** What it gave; undefined where nothing is known of that. */
  readonly output: JsonSchema | undefined;
  /** The fields of that which the code reads; none where it takes the whole. */
  readonly reads: readonly string[];
}

/** From the code that calls it, the runs that did, and what is stored of it. */
export function describeOldTool(
  tool: NewTool,
  { analysis, traces, isGone }: { analysis: Analysis; traces: readonly Trace[]; isGone: boolean },
): OldTool {
  const { id, inputSchema, outputSchema } = tool;
  const nodes = analysis.structure.nodes.filter((node) => node.type === "task" && node.tool === id);
  const reads = listReads(analysis, () => undefined);
  const calls = traces.flatMap(({ tasks }) => tasks.filter((task) => task.tool === id && task.success));
  const written = nodes.flatMap((node) => Object.keys("arguments" in node ? node.arguments : {}));
  return {
    id,
    tool,
    given: joinFields(written, [
      typeOf(calls.map(({ args }) => args ?? {})),
      isGone ? (inputSchema as JsonSchema | undefined) : undefined,
    ]),
    output: (isGone ? (outputSchema as JsonSchema | undefined) : undefined) ?? typeOf(calls.map((each) => each.result)),
    reads: [...new Set(nodes.flatMap((node) => [...(reads.get(node.id)?.fields.keys() ?? [])]))],
  };
}

function typeOf(kept: readonly unknown[]): JsonSchema | undefined {
  const types = kept.map((each): LearnedType => typeOfValue(reviveValue(each)));
  return types.length === 0 ? undefined : typeToSchema(types.reduce(mergeTypes));
}

/** What was given by name in the code, or in a run. */
function joinFields(
  written: readonly string[],
  [seen, declared]: [JsonSchema | undefined, JsonSchema | undefined],
): JsonSchema {
  const known = { ...fieldsOf(declared), ...fieldsOf(seen) };
  const names = new Set([...written, ...Object.keys(fieldsOf(seen))]);
  return { type: "object", properties: Object.fromEntries([...names].map((name) => [name, known[name] ?? {}])) };
}

export function fieldsOf(schema: unknown): Record<string, JsonSchema> {
  const { properties } = (schema ?? {}) as { properties?: unknown };
  return typeof properties === "object" && properties !== null ? (properties as Record<string, JsonSchema>) : {};
}
