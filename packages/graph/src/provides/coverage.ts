import { type JsonSchema } from "../types/type-to-schema.js";
import { matchFields } from "./match-fields.js";
import { type Field, listFields } from "./schema-fields.js";

/** `strict`: all that is required; `partial`: some of it; `optional`: only what is not required. */
export type ProvidesCoverage = "strict" | "partial" | "optional";

export interface FieldMapping {
  readonly fromField: string;
  readonly toField: string;
  readonly typeCompatible: boolean;
  /** In [0, 1]. */
  readonly score: number;
  readonly reason: string;
}

export interface Coverage {
  readonly coverage: ProvidesCoverage;
  /** For each input that is covered, the output that fits best. */
  readonly fieldMapping: readonly FieldMapping[];
  /** How sure it is, in [0, 1]: the best match of what is required, or else of what is not. */
  readonly score: number;
}

/** What the graph has to know of a tool. */
export interface ToolSchemas {
  readonly id: string;
  readonly description?: string;
  readonly inputSchema?: JsonSchema;
  readonly outputSchema?: JsonSchema;
}

/** Fields of a tool, read once. */
export interface ToolFields {
  readonly id: string;
  readonly inputs: readonly Field[];
  readonly outputs: readonly Field[];
}

export function readFields({ id, inputSchema, outputSchema }: ToolSchemas): ToolFields {
  const top = listFields(inputSchema, id).filter(({ path }) => !/[.[]/.test(path));
  const outputs = listFields(outputSchema, id);
  const given = new Set(top.map(nameOf));
  const handed = new Set(outputs.map(nameOf).filter((name) => given.has(name)));
  // One thing that goes in and comes out was worked on; several were handed through.
  if (handed.size < 2) return { id, inputs: top, outputs };
  return { id, inputs: top, outputs: outputs.map((field) => ({ ...field, echoed: handed.has(nameOf(field)) })) };
}

function nameOf({ words }: Field): string {
  return words.join(" ");
}

/** How far what one tool gives covers what another takes; undefined when not at all. */
export function computeCoverage(provider: ToolSchemas, consumer: ToolSchemas): Coverage | undefined {
  return coverFields(readFields(provider).outputs, readFields(consumer).inputs);
}

const OPTIONAL_COUNTS = 0.6;

export function coverFields(outputs: readonly Field[], inputs: readonly Field[]): Coverage | undefined {
  const fieldMapping = inputs.flatMap((input) => findBest(outputs, input) ?? []);
  const covered = new Set(fieldMapping.map(({ toField }) => toField));
  if (covered.size === 0) return undefined;
  const required = inputs.filter((input) => input.required);
  const filled = required.filter(({ path }) => covered.has(path));
  const coverage = filled.length === 0 ? "optional" : filled.length === required.length ? "strict" : "partial";
  const ofRequired = new Set(required.map(({ path }) => path));
  const scores = fieldMapping.map(({ toField, score }) => score * (ofRequired.has(toField) ? 1 : OPTIONAL_COUNTS));
  return { coverage, fieldMapping, score: Math.max(...scores) };
}

function findBest(outputs: readonly Field[], input: Field): FieldMapping | undefined {
  let best: FieldMapping | undefined;
  for (const output of outputs) {
    const match = matchFields(output, input);
    if (match && match.score > (best?.score ?? 0)) best = { fromField: output.path, toField: input.path, ...match };
  }
  return best;
}
