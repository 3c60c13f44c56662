import { computeCoverage, type JsonSchema } from "@pml/graph";

import { fieldsOf, type OldTool } from "./old-tool.js";

/** A field of one tool that stands for a field of another. */
export interface FieldPair {
  readonly from: string;
  readonly to: string;
  /** How sure that is, in [0, 1]. */
  readonly score: number;
}

/** A tool as far as it matters for whether it can be called instead. */
export interface NewSide {
  readonly id: string;
  readonly inputSchema: unknown;
  readonly outputSchema: JsonSchema | undefined;
}

/** Fields of what was given, or come before, that fill a tool's input; undefined where it needs more. */
export function mapInputs(given: { id: string; schema: JsonSchema }, by: NewSide): FieldPair[] | undefined {
  const { required = [] } = (by.inputSchema ?? {}) as { required?: unknown };
  const pairs = pairFields(given, { id: by.id, schema: (by.inputSchema ?? {}) as JsonSchema });
  const filled = new Set(pairs.map(({ to }) => to));
  return Array.isArray(required) && required.every((name) => filled.has(String(name))) ? pairs : undefined;
}

/** Fields of what a tool gives that stand for those of the old one; `whole` where it gives the same. */
export function mapOutputs(old: OldTool, by: NewSide): FieldPair[] | "whole" | undefined {
  const { output } = old;
  if (by.outputSchema === undefined) return undefined;
  if (output !== undefined && output["type"] !== "object")
    return isSameType(output, by.outputSchema) ? "whole" : undefined;
  const known = fieldsOf(output);
  const needed = old.reads.length > 0 ? old.reads : Object.keys(known);
  if (needed.length === 0) return output === undefined ? undefined : "whole";
  const wanted = { type: "object", properties: Object.fromEntries(needed.map((name) => [name, known[name] ?? {}])) };
  const pairs = pairFields({ id: by.id, schema: by.outputSchema }, { id: old.id, schema: wanted });
  if (needed.some((name) => !pairs.some(({ to }) => to === name))) return undefined;
  return pairs.every(({ from, to }) => from === to) && old.reads.length > 0 ? "whole" : pairs;
}

function isSameType(a: JsonSchema, b: JsonSchema): boolean {
  return a["type"] !== undefined && a["type"] === b["type"];
}

/** Below this, fields only might fit: both hold some data, or end in the same word. */
const LEAST_SCORE = 0.6;

/** What has the same name, then what fits best; each field of the one stands for one of the other. */
function pairFields(from: { id: string; schema: JsonSchema }, to: { id: string; schema: JsonSchema }): FieldPair[] {
  const [mine, theirs] = [fieldsOf(from.schema), fieldsOf(to.schema)];
  const same = Object.keys(theirs).filter(
    (name) => Object.hasOwn(mine, name) && mayStandFor(mine[name] as JsonSchema, theirs[name] as JsonSchema),
  );
  const coverage = computeCoverage({ id: from.id, outputSchema: from.schema }, { id: to.id, inputSchema: to.schema });
  const like = [...(coverage?.fieldMapping ?? [])]
    .filter(
      ({ typeCompatible, score, fromField, toField }) =>
        typeCompatible && score >= LEAST_SCORE && isPlain(fromField) && !same.includes(toField),
    )
    .sort((a, b) => b.score - a.score);
  const taken = new Set(same);
  const pairs = same.map((name): FieldPair => ({ from: name, to: name, score: 1 }));
  for (const { fromField, toField, score } of like) {
    if (taken.has(fromField)) continue;
    taken.add(fromField);
    pairs.push({ from: fromField, to: toField, score });
  }
  return pairs;
}

function mayStandFor(a: JsonSchema, b: JsonSchema): boolean {
  const [left, right] = [a["type"], b["type"]];
  if (left === undefined || right === undefined || Array.isArray(left) || Array.isArray(right)) return true;
  return left === right || (left === "integer" && right === "number");
}

/** One value, not one of many. */
function isPlain(path: string): boolean {
  return !path.includes("[");
}
