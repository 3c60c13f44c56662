import type { LearnedType } from "./learned-type.js";

/** As much of JSON Schema as the graph reads; anything may stand in it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The JSON Schema of a learned type, to stand in where a tool declares no output. */
export function typeToSchema(type: LearnedType): JsonSchema {
  switch (type.kind) {
    case "never":
    case "any":
      return {};
    case "array":
      return { type: "array", items: typeToSchema(type.items) };
    case "union":
      return { anyOf: type.of.map(typeToSchema) };
    case "object": {
      const required = type.fields.filter(({ optional }) => !optional).map(({ name }) => name);
      const properties = Object.fromEntries(type.fields.map(({ name, type }) => [name, typeToSchema(type)]));
      return { type: "object", properties, required };
    }
    default:
      return { type: type.kind };
  }
}
