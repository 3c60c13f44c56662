import { quote, quoteName } from "./safe-text.js";

/** Deeper than this a type says no more than that there is something. */
const DEEPEST = 5;
const MOST_FIELDS = 40;
const MOST_CHOICES = 20;

/** A JSON Schema as a TypeScript type on one line. What it cannot say becomes `unknown`, never something else. */
export function writeType(schema: unknown): string {
  return write(schema, { root: schema, depth: 0, open: [] });
}

interface Place {
  root: unknown;
  depth: number;
  /** References being followed, so that a type of itself ends. */
  open: readonly string[];
}

type Schema = Record<string, unknown>;

function write(schema: unknown, place: Place): string {
  if (!isSchema(schema) || place.depth > DEEPEST) return "unknown";
  if (typeof schema["$ref"] === "string") return writeReference(schema["$ref"], place);
  if (Object.hasOwn(schema, "const")) return writeLiteral(schema["const"]);
  if (Array.isArray(schema["enum"])) return join(schema["enum"].map(writeLiteral), " | ");
  const choices = schema["anyOf"] ?? schema["oneOf"];
  if (Array.isArray(choices))
    return join(
      choices.map((each) => write(each, deeper(place))),
      " | ",
    );
  if (Array.isArray(schema["allOf"]))
    return join(
      schema["allOf"].map((each) => write(each, deeper(place))),
      " & ",
    );
  const types = Array.isArray(schema["type"]) ? schema["type"] : [schema["type"] ?? guessType(schema)];
  const written = types.map((type) => writeSimple(type, schema, place));
  return join(schema["nullable"] === true ? [...written, "null"] : written, " | ");
}

function writeSimple(type: unknown, schema: Schema, place: Place): string {
  if (type === "integer" || type === "number") return "number";
  if (type === "string" || type === "boolean" || type === "null") return type;
  if (type === "array") return writeArray(schema, place);
  return type === "object" ? writeObject(schema, place) : "unknown";
}

function writeArray({ items, prefixItems }: Schema, place: Place): string {
  const tuple = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : undefined;
  if (tuple !== undefined) return `[${tuple.map((each) => write(each, deeper(place))).join(", ")}]`;
  const item = write(items, deeper(place));
  return / [|&] /.test(item) && !item.startsWith("{") ? `(${item})[]` : `${item}[]`;
}

function writeObject(schema: Schema, place: Place): string {
  const { properties, required, additionalProperties } = schema;
  const fields = isSchema(properties) ? Object.entries(properties) : [];
  const needed = new Set(Array.isArray(required) ? required : []);
  const shown = fields.slice(0, MOST_FIELDS).map(([name, field]) => {
    return `${quoteName(name)}${needed.has(name) ? "" : "?"}: ${write(field, deeper(place))}`;
  });
  const isOpen =
    fields.length > MOST_FIELDS ||
    isSchema(additionalProperties) ||
    (fields.length === 0 && additionalProperties !== false);
  const rest =
    isSchema(additionalProperties) && fields.length === 0 ? write(additionalProperties, deeper(place)) : "unknown";
  const all = isOpen ? [...shown, `[name: string]: ${rest}`] : shown;
  return all.length === 0 ? "{}" : `{ ${all.join("; ")} }`;
}

function writeReference(reference: string, { root, depth, open }: Place): string {
  if (open.includes(reference) || !reference.startsWith("#")) return "unknown";
  const parts = reference.slice(1).split("/").slice(1);
  const found = parts.reduce<unknown>((at, part) => {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    return typeof at === "object" && at !== null && Object.hasOwn(at, name) ? (at as Schema)[name] : undefined;
  }, root);
  return write(found, { root, depth, open: [...open, reference] });
}

function writeLiteral(value: unknown): string {
  if (value === null || typeof value === "boolean" || typeof value === "number") return String(value);
  return typeof value === "string" ? quote(value) : "unknown";
}

/** Many schemas leave out that they are of an object. */
function guessType({ properties, items }: Schema): string | undefined {
  if (isSchema(properties)) return "object";
  return items === undefined ? undefined : "array";
}

function join(types: readonly string[], by: " | " | " & "): string {
  const different = [...new Set(types)];
  if (different.length > MOST_CHOICES) return `${different.slice(0, MOST_CHOICES).join(by)}${by}unknown`;
  if (different.length === 1) return different[0] as string;
  return different.map((each) => (by === " & " && each.includes(" | ") ? `(${each})` : each)).join(by) || "unknown";
}

function deeper(place: Place): Place {
  return { ...place, depth: place.depth + 1 };
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
