import { EDGE_SOURCES, EDGE_TYPES } from "@pml/core";

type Schema = Readonly<Record<string, unknown>>;

export const EDGE_TYPE: Schema = { enum: EDGE_TYPES };
export const UUID: Schema = { type: "string", format: "uuid" };
const TIME: Schema = { type: "string", format: "date-time" };
const COUNT: Schema = { type: "integer", minimum: 0 };
const SHARE: Schema = { type: "number", minimum: 0, maximum: 1 };
const TEXT: Schema = { type: "string" };
const EDGE_SOURCE: Schema = { enum: EDGE_SOURCES };
const STATUS: Schema = { enum: ["draft", "active", "degraded"] };

export const list = (items: Schema): Schema => ({ type: "array", items });
export const reference = (name: SchemaName): Schema => ({ $ref: `#/components/schemas/${name}` });
/** Every field is always there; null says that there is nothing to say. */
export const object = (properties: Record<string, Schema>): Schema => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});
const orNull = (schema: Schema): Schema => ({ anyOf: [schema, { type: "null" }] });

const EDGE_FIELDS: Record<string, Schema> = {
  edge_type: EDGE_TYPE,
  edge_source: EDGE_SOURCE,
  observed_count: COUNT,
  confidence_score: SHARE,
  created_at: TIME,
  last_observed: TIME,
};

type SchemaName = "Capability" | "Dependency" | "NewDependency" | "Node" | "Edge" | "Problem";

export const SCHEMAS: Readonly<Record<SchemaName, Schema>> = {
  Capability: object({
    id: UUID,
    name: orNull(TEXT),
    intent: TEXT,
    description: orNull(TEXT),
    status: STATUS,
    usage_count: COUNT,
    success_count: COUNT,
    failure_count: COUNT,
    consecutive_failures: COUNT,
    success_rate: orNull(SHARE),
    average_duration_ms: orNull({ type: "number" }),
    last_used_at: orNull(TIME),
    tools_used: list(TEXT),
    verified: { type: "boolean" },
    visibility: { enum: ["private", "project", "org", "public"] },
    created_by: TEXT,
    created_at: TIME,
    updated_at: TIME,
    source_type: { enum: ["code", "dag", "tool"] },
    parameters: { description: "JSON Schema of what it can be given." },
    dependencies_count: COUNT,
  }),
  Dependency: object({ from_capability_id: UUID, to_capability_id: UUID, ...EDGE_FIELDS }),
  NewDependency: {
    ...object({ to_capability_id: UUID, edge_type: EDGE_TYPE, edge_source: { ...EDGE_SOURCE, default: "manual" } }),
    required: ["to_capability_id", "edge_type"],
  },
  Node: {
    oneOf: [
      object({
        id: { type: "string", pattern: "^capability:" },
        type: { const: "capability" },
        label: TEXT,
        status: STATUS,
        usage_count: COUNT,
        success_rate: orNull(SHARE),
        tools_used: list(TEXT),
      }),
      object({
        id: TEXT,
        type: { const: "tool" },
        label: TEXT,
        server: TEXT,
        description: TEXT,
        available: { type: "boolean" },
      }),
    ],
  },
  Edge: object({ from: TEXT, to: TEXT, kind: { enum: ["capability", "tool"] }, ...EDGE_FIELDS }),
  Problem: {
    ...object({ type: TEXT, title: TEXT, status: { type: "integer" }, detail: TEXT, code: TEXT }),
    description: "After RFC 9457. `code` is what to test for.",
  },
};

export const PAGE: Schema = object({
  capabilities: list({ $ref: "#/components/schemas/Capability" }),
  total: COUNT,
  limit: COUNT,
  offset: COUNT,
  next_offset: orNull(COUNT),
});

export const HYPERGRAPH: Schema = object({
  nodes: list({ $ref: "#/components/schemas/Node" }),
  edges: list({ $ref: "#/components/schemas/Edge" }),
  hyperedges: list(object({ capability_id: UUID, tools: list(TEXT) })),
  capabilities_count: COUNT,
  tools_count: COUNT,
  edges_count: COUNT,
  truncated: { type: "boolean", description: "There are more capabilities than the limit; the most used are shown." },
});

export const QUERY: Record<"flag" | "count" | "share" | "text" | "status", Schema> = {
  flag: { type: "boolean" },
  count: { ...COUNT, maximum: 999_999_999 },
  share: SHARE,
  text: { ...TEXT, minLength: 1 },
  status: STATUS,
};
