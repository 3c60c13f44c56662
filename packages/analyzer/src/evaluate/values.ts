import type { AnyNode } from "acorn";

import { WHOLE_INPUT } from "../inputs.js";
import type { FunctionNode } from "../parse/scope.js";
import type { Json, Path } from "../structure.js";

/** What is known of a value without running the code. */
export type Value =
  | { readonly kind: "literal"; readonly value: Json; readonly origin: AnyNode }
  | { readonly kind: "reference"; readonly node: string; readonly path: Path; readonly optional?: true }
  | { readonly kind: "parameter"; readonly name: string; readonly path: Path; readonly optional?: true }
  | { readonly kind: "object"; readonly fields: Fields; readonly spreads: readonly Term[]; readonly size: number }
  | { readonly kind: "array"; readonly items: readonly Term[]; readonly origin?: AnyNode; readonly size: number }
  | { readonly kind: "function"; readonly node: FunctionNode }
  | { readonly kind: "tools"; readonly server?: string; readonly computed?: string }
  | { readonly kind: "tool"; readonly id: string; readonly computed?: string }
  | { readonly kind: "capabilities"; readonly path: readonly string[]; readonly computed?: string }
  | { readonly kind: "global"; readonly name: string }
  | { readonly kind: "opaque"; readonly sources: Sources; readonly tools?: ReadonlySet<string> };

export type Fields = ReadonlyMap<string, Term>;

/** A value and the expression that gave it. */
export interface Term {
  readonly node: AnyNode;
  readonly value: Value;
}

/**
 * What a value was made from: node ids; parameters as `$name`; `~1`, `~2`, … for what an iteration of a loop leaves to
 * the next one, which is only known once the loop's body has been seen; `!1`, `!2`, … for work that was started.
 */
export type Sources = ReadonlySet<string>;

export const NO_SOURCES: Sources = new Set();

export function isWholeInput(value: Value): boolean {
  return value.kind === "parameter" && value.name === WHOLE_INPUT;
}

export const UNKNOWN: Value = { kind: "opaque", sources: NO_SOURCES };
/** Undefined for sure. */
export const ABSENT: Value = { kind: "global", name: "undefined" };

export function isAbsent(value: Value): boolean {
  return value.kind === "global" && value.name === "undefined";
}

/** A value made from others in a way that is not followed. What tools they hold is kept: somebody may call them. */
export function opaque(...values: readonly Value[]): Value {
  const sources = union(values.map(sourcesOf));
  const tools = values.some(reachesTools) ? union(values.map(toolsIn)) : undefined;
  if (sources.size === 0 && !tools) return UNKNOWN;
  return { kind: "opaque", sources, ...(tools && { tools }) };
}

/** Larger ones are not followed part by part: the parts of parts can be without end. */
const LARGEST = 2000;

export function arrayOf(items: readonly Term[], origin?: AnyNode): Value {
  const size = sizeOf(items);
  if (size > LARGEST) return opaque(...items.map((item) => item.value));
  return { kind: "array", items, size, ...(origin && { origin }) };
}

export function objectOf(fields: Fields, spreads: readonly Term[]): Value {
  const size = sizeOf([...fields.values(), ...spreads]);
  if (size > LARGEST) return opaque(...[...fields.values(), ...spreads].map((term) => term.value));
  return { kind: "object", fields, spreads, size };
}

function sizeOf(terms: readonly Term[]): number {
  return terms.reduce((size, { value }) => size + ("size" in value ? value.size : 1), 1);
}

/** Tools that a value gives access to, by id, `server:*` or `*`. */
export function toolsIn(value: Value): ReadonlySet<string> {
  switch (value.kind) {
    case "tools":
      return new Set([value.server === undefined || value.server === "*" ? "*" : `${value.server}:*`]);
    case "tool":
      return new Set([value.id]);
    case "capabilities":
      return new Set(["cap:*"]);
    case "global":
      return value.name === "globalThis" ? new Set(["*", "cap:*"]) : NO_SOURCES;
    case "object":
      return union([...value.fields.values(), ...value.spreads].map((term) => toolsIn(term.value)));
    case "array":
      return union(value.items.map((term) => toolsIn(term.value)));
    case "opaque":
      return value.tools ?? NO_SOURCES;
    default:
      return NO_SOURCES;
  }
}

export function reference(node: string, path: Path = []): Value {
  return { kind: "reference", node, path };
}

export function sourcesOf(value: Value): Sources {
  switch (value.kind) {
    case "reference":
      return new Set([value.node]);
    case "parameter":
      return new Set([`$${value.name}`]);
    case "object":
      return union([...value.fields.values(), ...value.spreads].map((term) => sourcesOf(term.value)));
    case "array":
      return union(value.items.map((term) => sourcesOf(term.value)));
    case "opaque":
      return value.sources;
    default:
      return NO_SOURCES;
  }
}

export function union(sets: readonly Sources[]): Sources {
  const filled = sets.filter((set) => set.size > 0);
  if (filled.length < 2) return filled[0] ?? NO_SOURCES;
  const all = new Set<string>();
  for (const set of filled) for (const source of set) all.add(source);
  return all;
}

export function nodesIn(sources: Iterable<string>): string[] {
  return [...sources].filter((source) => !source.startsWith("$") && !source.startsWith("!"));
}

export function parametersIn(sources: Iterable<string>): string[] {
  return [...sources].filter((source) => source.startsWith("$")).map((source) => source.slice(1));
}

/** One value out of several that may stand there. */
export function either(values: readonly Value[]): Value {
  const [first, ...rest] = values;
  if (!first) return UNKNOWN;
  return rest.every((value) => isSame(first, value)) ? first : opaque(...values);
}

function isSame(a: Value, b: Value): boolean {
  if (a === b) return true;
  if (a.kind === "reference" && b.kind === "reference") return a.node === b.node && a.path.join() === b.path.join();
  if (a.kind === "parameter" && b.kind === "parameter") return a.name === b.name && a.path.join() === b.path.join();
  if (a.kind === "literal" && b.kind === "literal") return a.origin === b.origin;
  if (a.kind === "tool" && b.kind === "tool") return a.id === b.id;
  if (isAbsent(a) && isAbsent(b)) return true;
  return a.kind === "function" && b.kind === "function" && a.node === b.node;
}

/** The JSON a value stands for, when it is made of literals only. */
export function jsonOf(value: Value): Json | undefined {
  if (value.kind === "literal") return value.value;
  if (value.kind === "array") {
    const items = value.items.map((item) => jsonOf(item.value));
    return items.includes(undefined) ? undefined : (items as Json[]);
  }
  if (value.kind !== "object" || value.spreads.length > 0) return undefined;
  const fields: [string, Json][] = [];
  for (const [key, field] of value.fields) {
    const json = jsonOf(field.value);
    if (json === undefined) return undefined;
    fields.push([key, json]);
  }
  return Object.fromEntries(fields);
}

/** A value that gives access to tools: what holds it may call them. */
export function reachesTools(value: Value): boolean {
  switch (value.kind) {
    case "tools":
    case "tool":
    case "capabilities":
      return true;
    case "global":
      return value.name === "globalThis";
    case "object":
      return [...value.fields.values(), ...value.spreads].some((term) => reachesTools(term.value));
    case "array":
      return value.items.some((term) => reachesTools(term.value));
    case "opaque":
      return value.tools !== undefined;
    default:
      return false;
  }
}
