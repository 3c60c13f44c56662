import type { JsonSchema, ToolSchemas } from "@pml/graph";

import type { DataSet } from "./data.js";

/** The sets spell types in the way of their language; JSON Schema has one way. */
const TYPES: Record<string, string> = {
  str: "string",
  int: "integer",
  float: "number",
  dict: "object",
  bool: "boolean",
  list: "array",
};

interface Row {
  id: string;
  description?: string;
  inputSchema?: Record<string, unknown>;
  outputSchema?: Record<string, unknown>;
  input_types?: string[];
  output_types?: string[];
}

/** The tools of a set with JSON Schemas, whatever form the set has them in. */
export function readToolSchemas(set: DataSet): Map<string, ToolSchemas> {
  return new Map((set.tools as readonly Row[]).map((tool) => [tool.id, readTool(tool)]));
}

function readTool(tool: Row): ToolSchemas {
  const input = tool.inputSchema ?? typed(tool.input_types);
  const output = tool.outputSchema ?? typed(tool.output_types);
  return {
    id: tool.id,
    ...(tool.description === undefined ? {} : { description: tool.description }),
    ...(input === undefined ? {} : { inputSchema: normalize(input) }),
    ...(output === undefined ? {} : { outputSchema: normalize(output) }),
  };
}

/** Fields named after their types; a tool that takes two of a type has two fields. */
function typed(types: string[] | undefined): Record<string, unknown> | undefined {
  const names = types?.map((type, at) => (types.indexOf(type) === at ? type : `second ${type}`));
  return names && { type: "object", properties: Object.fromEntries(names.map((name) => [name, {}])), required: names };
}

/** A record of fields, each saying whether it is required, is a schema too. */
function normalize(schema: Record<string, unknown>): JsonSchema {
  if (typeof schema["type"] === "string" || "properties" in schema) return rename(schema) as JsonSchema;
  const required = Object.entries(schema).filter(([, field]) => (field as { required?: unknown }).required === true);
  return { type: "object", properties: rename(schema), required: required.map(([name]) => name) };
}

function rename(value: unknown, key = ""): unknown {
  if (key === "type" && typeof value === "string") return TYPES[value] ?? value;
  if (Array.isArray(value)) return value.map((item) => rename(item));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, rename(inner, name)]));
}
