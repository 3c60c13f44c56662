import type { Reads } from "./mock-reads.js";

export interface MockOptions {
  /** What the code reads of it, where the schema says less. */
  reads?: Reads | undefined;
  /** As little as the schema allows: what a loop asks for again and again has to come to an end. */
  sparse?: boolean;
}

interface Making {
  readonly root: unknown;
  readonly sparse: boolean;
  readonly depth: number;
}

type Schema = Record<string, unknown>;

const DEEPEST = 8;
/** From here down only what has to be there: a schema may refer to itself. */
const LEAN_BELOW = 4;
/** Reads as JSON, as a number and as a date. */
const TEXT = "1";

const FORMATS: Readonly<Record<string, string>> = {
  "date-time": "2000-01-01T00:00:00.000Z",
  date: "2000-01-01",
  time: "00:00:00Z",
  duration: "P1D",
  email: "someone@example.com",
  hostname: "example.com",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  uri: "https://example.com/",
  "uri-reference": "/",
  url: "https://example.com/",
  uuid: "00000000-0000-4000-8000-000000000000",
};

/** A value of a JSON Schema, the same each time. Without a schema, one that has what the code reads of it. */
export function mockValue(schema: unknown, { reads, sparse = false }: MockOptions = {}): unknown {
  return make(schema, reads, { root: schema, sparse, depth: 0 });
}

function make(given: unknown, reads: Reads | undefined, making: Making): unknown {
  if (making.depth > DEEPEST) return null;
  const schema = resolve(given, making);
  const fixed = findFixed(schema);
  if (fixed !== undefined) return fixed.value;
  const inner = { ...making, depth: making.depth + 1 };
  const type = typeOf(schema);
  if (type === undefined) return makeFromReads(reads, inner);
  if (type === "object") return makeObject(schema, reads, inner);
  if (type === "array") return makeArray(schema, reads, inner);
  if (type === "string" && reads?.json !== undefined) return writeJson(reads.json, inner);
  return makeScalar(type, schema, making.sparse);
}

/** Follows references, and takes the first that is not null of several. */
function resolve(given: unknown, making: Making): Schema {
  let schema = isSchema(given) ? given : {};
  for (let step = 0; step < DEEPEST; step++) {
    const { $ref, anyOf, oneOf, allOf, ...rest } = schema;
    const ways = (anyOf ?? oneOf) as unknown[] | undefined;
    if (typeof $ref === "string") schema = { ...rest, ...findRef(making.root, $ref) };
    else if (Array.isArray(ways)) schema = { ...rest, ...pickWay(ways) };
    else if (Array.isArray(allOf)) schema = allOf.filter(isSchema).reduce(mergeSchemas, rest);
    else break;
  }
  return schema;
}

function findRef(root: unknown, ref: string): Schema {
  const parts = ref.startsWith("#/") ? ref.slice(2).split("/") : [];
  const found = parts
    .map((part) => decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<unknown>((at, part) => (isSchema(at) && Object.hasOwn(at, part) ? at[part] : undefined), root);
  return isSchema(found) && parts.length > 0 ? found : {};
}

function pickWay(ways: readonly unknown[]): Schema {
  const schemas = ways.filter(isSchema);
  return schemas.find(({ type, const: value }) => type !== "null" && value !== null) ?? schemas[0] ?? {};
}

function mergeSchemas(a: Schema, b: Schema): Schema {
  return {
    ...a,
    ...b,
    properties: { ...(a["properties"] as Schema | undefined), ...(b["properties"] as Schema | undefined) },
    required: [...listRequired(a), ...listRequired(b)],
  };
}

/** What the schema names itself. */
function findFixed(schema: Schema): { value: unknown } | undefined {
  if (Object.hasOwn(schema, "const")) return { value: schema["const"] };
  if (Object.hasOwn(schema, "default")) return { value: schema["default"] };
  for (const list of [schema["examples"], schema["enum"]])
    if (Array.isArray(list) && list.length > 0) return { value: list[0] };
  return undefined;
}

function typeOf({ type, properties, items }: Schema): string | undefined {
  const first: unknown = Array.isArray(type) ? (type.find((each) => each !== "null") ?? type[0]) : type;
  if (typeof first === "string") return first;
  if (isSchema(properties)) return "object";
  return isSchema(items) ? "array" : undefined;
}

function makeObject(schema: Schema, reads: Reads | undefined, making: Making): Record<string, unknown> {
  const properties = isSchema(schema["properties"]) ? schema["properties"] : {};
  const required = new Set(listRequired(schema));
  const isLean = making.sparse || making.depth > LEAN_BELOW;
  const declared = Object.keys(properties).filter((name) => required.has(name) || !isLean);
  const closed = schema["additionalProperties"] === false;
  const read = closed || making.sparse ? [] : [...(reads?.fields.keys() ?? [])];
  const names = new Set([...declared, ...required, ...read]);
  return Object.fromEntries(
    [...names].map((name) => [
      name,
      make(Object.hasOwn(properties, name) ? properties[name] : undefined, reads?.fields.get(name), making),
    ]),
  );
}

function makeArray(schema: Schema, reads: Reads | undefined, making: Making): unknown[] {
  const least = typeof schema["minItems"] === "number" ? Math.min(schema["minItems"], 100) : 0;
  const length = Math.max(least, making.sparse || (making.depth > LEAN_BELOW && reads?.items === undefined) ? 0 : 1);
  return Array.from({ length }, () => make(schema["items"], reads?.items, making));
}

function makeScalar(type: string, schema: Schema, sparse: boolean): unknown {
  if (type === "null") return null;
  if (type === "boolean") return !sparse;
  if (type === "string") return makeText(schema, sparse);
  const { minimum, exclusiveMinimum, maximum, multipleOf = 1 } = schema as Record<string, number | undefined>;
  const least = minimum ?? (exclusiveMinimum === undefined ? undefined : exclusiveMinimum + multipleOf);
  const value = least ?? (sparse ? 0 : Math.min(maximum ?? 1, multipleOf));
  return type === "integer" ? Math.ceil(value) : value;
}

function makeText({ format, minLength = 0 }: { format?: unknown; minLength?: unknown }, sparse: boolean): string {
  const known = typeof format === "string" ? FORMATS[format] : undefined;
  if (known !== undefined) return known;
  const least = typeof minLength === "number" ? Math.min(minLength, 10_000) : 0;
  return (sparse ? "" : TEXT).padEnd(least, TEXT);
}

function makeFromReads(reads: Reads | undefined, making: Making): unknown {
  if (reads === undefined) return making.depth > 1 ? TEXT : {};
  if (reads.items !== undefined) return makeArray({}, reads, making);
  if (reads.fields.size > 0) return makeObject({}, reads, making);
  if (reads.json !== undefined) return writeJson(reads.json, making);
  if (reads.schema !== undefined) return make(reads.schema, undefined, { ...making, root: reads.schema });
  return making.depth > 1 ? TEXT : {};
}

function writeJson(reads: Reads, making: Making): string {
  const hasShape = reads.items !== undefined || reads.fields.size > 0;
  return hasShape ? JSON.stringify(makeFromReads(reads, { ...making, depth: making.depth + 1 })) : "{}";
}

function listRequired({ required }: Schema): string[] {
  return Array.isArray(required) ? required.filter((each): each is string => typeof each === "string") : [];
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
