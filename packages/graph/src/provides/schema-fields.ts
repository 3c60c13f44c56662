import type { JsonSchema } from "../types/type-to-schema.js";
import { canonicalWord } from "./synonyms.js";
import { wordsOf } from "./words.js";

/** One field of what a tool takes or gives. */
export interface Field {
  /** As in `results[].id`. */
  readonly path: string;
  /** Its own words, canonical. */
  readonly words: readonly string[];
  /** What the fields around it, and the tool, are about. */
  readonly around: ReadonlySet<string>;
  /** Undefined where the schema does not say. */
  readonly type: string | undefined;
  readonly required: boolean;
  /** Of an output: the tool was given the same, so that whoever called it has it already. */
  readonly echoed?: boolean;
}

const DEEPEST = 6;
const MOST_FIELDS = 400;
const TYPES: Readonly<Record<string, string>> = { integer: "number", float: "number" };

/** The fields of a schema, those inside lists and objects too. */
export function listFields(schema: JsonSchema | undefined, about: string): Field[] {
  const found: Field[] = [];
  const around = new Set(wordsOf(about).map(canonicalWord));
  collect(schema, { path: "", around, required: true, depth: 0 }, found);
  return found;
}

interface Place {
  readonly path: string;
  readonly around: ReadonlySet<string>;
  readonly required: boolean;
  readonly depth: number;
}

function collect(schema: unknown, place: Place, found: Field[]): void {
  if (typeof schema !== "object" || schema === null || place.depth > DEEPEST || found.length >= MOST_FIELDS) return;
  const { properties, items, required, $ref } = schema as Record<string, unknown>;
  const names = isRecord(properties) ? Object.keys(properties) : [];
  for (const name of names)
    addField(name, { schema, place, needed: Array.isArray(required) && required.includes(name) }, found);
  if (isRecord(items)) collect(items, { ...place, path: `${place.path}[]`, depth: place.depth + 1 }, found);
  for (const key of ["anyOf", "oneOf", "allOf"]) {
    const members = (schema as Record<string, unknown>)[key];
    if (Array.isArray(members))
      for (const member of members) collect(member, { ...place, depth: place.depth + 1 }, found);
  }
  // What a reference leads to is not here, but its name says what it is, and things have ids and names.
  if (typeof $ref === "string") addReferenced($ref, place, found);
}

function addField(
  name: string,
  { schema, place, needed }: { schema: object; place: Place; needed: boolean },
  found: Field[],
): void {
  const inner = ((schema as Record<string, Record<string, unknown>>)["properties"] ?? {})[name];
  const path = place.path === "" ? name : `${place.path}.${name}`;
  const words = wordsOf(name).map(canonicalWord);
  const required = needed && place.required;
  if (found.length < MOST_FIELDS) found.push({ path, words, around: place.around, type: typeOf(inner), required });
  collect(inner, { path, around: new Set([...place.around, ...words]), required, depth: place.depth + 1 }, found);
}

function addReferenced(reference: string, place: Place, found: Field[]): void {
  const around = new Set([
    ...place.around,
    ...wordsOf(reference.slice(reference.lastIndexOf("/") + 1)).map(canonicalWord),
  ]);
  for (const name of ["id", "name"]) {
    const path = place.path === "" ? name : `${place.path}.${name}`;
    found.push({ path, words: [name], around, type: undefined, required: false });
  }
}

function typeOf(schema: unknown): string | undefined {
  if (!isRecord(schema)) return undefined;
  const { type, properties, items } = schema;
  const named = Array.isArray(type) ? type.find((each) => each !== "null") : type;
  if (typeof named === "string") return TYPES[named] ?? named;
  return isRecord(properties) ? "object" : isRecord(items) ? "array" : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
