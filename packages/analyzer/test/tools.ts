import type { CapabilityInfo, JsonSchema, ToolInfo } from "../src/index.js";

const STRING: JsonSchema = { type: "string" };

function fields(properties: Record<string, JsonSchema>): JsonSchema {
  return { type: "object", properties };
}

/** Tools that tests call. Those that only read say so; what has no schema is meant to have none. */
export const TOOLS: readonly ToolInfo[] = [
  { id: "fs:stat", inputSchema: fields({ path: STRING }), annotations: { readOnlyHint: true } },
  { id: "fs:read", inputSchema: fields({ path: STRING, encoding: STRING }), annotations: { readOnlyHint: true } },
  { id: "fs:list", inputSchema: fields({ path: STRING }), annotations: { readOnlyHint: true } },
  { id: "fs:create", inputSchema: fields({ path: STRING }) },
  { id: "fs:write", inputSchema: fields({ path: STRING, content: STRING }) },
  { id: "fs:delete", inputSchema: fields({ path: STRING }), annotations: { destructiveHint: true } },
  { id: "json:parse", inputSchema: fields({ json: STRING }), annotations: { readOnlyHint: true } },
  { id: "api:fetch" },
  {
    id: "api:list",
    inputSchema: fields({ cursor: STRING, limit: { type: "number" } }),
    annotations: { readOnlyHint: true },
  },
  { id: "http:post", inputSchema: fields({ url: STRING, body: { type: "object" } }) },
  {
    id: "db:query",
    inputSchema: fields({ sql: STRING, limit: { type: "integer" } }),
    annotations: { readOnlyHint: true },
  },
  { id: "db:write" },
  { id: "my-server:do-it" },
  { id: "log:write" },
];

export const CAPABILITIES: readonly CapabilityInfo[] = [
  { name: "summarize", id: "cap-1" },
  { name: "fs:read_json", id: "cap-2", parameters: fields({ path: STRING }), permissionSet: "minimal" },
];
