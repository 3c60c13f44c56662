import { listContentWords } from "../discover/words.js";
import type { Capability } from "../model/capability.js";
import { defaultsOf } from "./analyses.js";

interface Field {
  readonly name: string;
  /** Undefined where anything fits. */
  readonly types: readonly string[] | undefined;
}

export type Filling =
  /** `unused`: what the context has and it has no parameter for. */
  | { ok: true; inputs: Record<string, unknown>; unused: string[] }
  /** Required inputs that nothing in the context stands for, and those that what stands for them does not fit. */
  | { ok: false; missing: string[] };

/**
 * Fills a capability's parameters from a context: by name, then by names that share a word, then by type where only one
 * value is left for only one parameter; the type has to fit in any case. What has a default and is not named keeps it.
 */
export function fillParameters(
  capability: Pick<Capability, "source" | "parameters">,
  context: Record<string, unknown>,
): Filling {
  const schema = (capability.parameters ?? {}) as {
    properties?: Record<string, { type?: unknown }>;
    required?: string[];
    additionalProperties?: unknown;
  };
  const properties = Object.entries(schema.properties ?? {});
  const isOpen = schema.additionalProperties !== false;
  if (properties.length === 0) return { ok: true, inputs: isOpen ? context : {}, unused: Object.keys(context) };
  const fields = properties.map(([name, { type }]): Field => ({ name, types: listTypes(type) }));
  const inputs = new Map<string, unknown>();
  const left = new Map(Object.entries(context));
  const take = (name: string, key: string): void => void (inputs.set(name, left.get(key)), left.delete(key));
  for (const field of fields)
    if (left.has(field.name) && fits(field, left.get(field.name))) take(field.name, field.name);
  // A value that is meant for a parameter and does not fit it is no reason to run with the default.
  const unfit = fields.flatMap(({ name }) => (left.has(name) && !inputs.has(name) ? [name] : []));
  for (const name of unfit) left.delete(name);
  for (const field of fields.filter(({ name }) => !inputs.has(name) && !unfit.includes(name))) {
    const key = findLike(field, left);
    if (key !== undefined) take(field.name, key);
  }
  fillByType(
    fields.filter(({ name }) => !unfit.includes(name)),
    { required: schema.required ?? [], inputs, left, take },
  );
  const defaults = defaultsOf(capability);
  const required = (schema.required ?? []).filter((name) => !inputs.has(name) && !Object.hasOwn(defaults, name));
  const missing = [...new Set([...unfit, ...required])];
  const rest = isOpen ? Object.fromEntries(left) : {};
  return missing.length > 0
    ? { ok: false, missing }
    : { ok: true, inputs: { ...rest, ...Object.fromEntries(inputs) }, unused: [...left.keys()] };
}

/** The one key whose words are nearest to the parameter's; none when two are as near. */
function findLike(field: Field, left: ReadonlyMap<string, unknown>): string | undefined {
  const words = new Set(listContentWords(field.name));
  const scored = [...left]
    .filter(([, value]) => fits(field, value))
    .map(([key]) => ({ key, shared: listContentWords(key).filter((word) => words.has(word)).length }))
    .filter(({ shared }) => shared > 0)
    .sort((a, b) => b.shared - a.shared);
  const [best, second] = scored;
  return best !== undefined && best.shared !== second?.shared ? best.key : undefined;
}

interface Rest {
  required: readonly string[];
  inputs: ReadonlyMap<string, unknown>;
  left: ReadonlyMap<string, unknown>;
  take: (name: string, key: string) => void;
}

/** One required parameter without a value and one value without a parameter, of the same type, belong together. */
function fillByType(fields: readonly Field[], { required, inputs, left, take }: Rest): void {
  const open = fields.filter(({ name, types }) => required.includes(name) && !inputs.has(name) && types !== undefined);
  for (const field of open) {
    const rivals = open.filter(({ types, name }) => `${types}` === `${field.types}` && name !== field.name);
    const fitting = [...left].filter(([, value]) => fits(field, value));
    if (rivals.length === 0 && fitting.length === 1) take(field.name, fitting[0]?.[0] ?? "");
  }
}

function listTypes(type: unknown): string[] | undefined {
  const types = (Array.isArray(type) ? type : [type]).filter((each): each is string => typeof each === "string");
  return types.length === 0 ? undefined : types;
}

function fits({ types }: Field, value: unknown): boolean {
  return types === undefined || types.some((type) => isOf(type, value));
}

function isOf(type: string, value: unknown): boolean {
  if (type === "integer") return Number.isInteger(value);
  if (type === "array") return Array.isArray(value);
  if (type === "object") return typeof value === "object" && value !== null && !Array.isArray(value);
  return type === "null" ? value === null : typeof value === type;
}
