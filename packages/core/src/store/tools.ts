import { createHash } from "node:crypto";

import { invalidInput } from "../model/error.js";
import { canonicalJson } from "../model/identity.js";
import { checkText } from "../model/text.js";
import { checkToolId, type NewTool, type StoredTool, type ToolAnnotations, type ToolApproval } from "../model/tool.js";
import { writeJson } from "./capability-row.js";
import { announce } from "./changes.js";
import type { StoreContext } from "./context.js";
import type { Row } from "./database/database.js";

interface ToolRow extends Row {
  tool_id: string;
  description: string;
  input_schema: unknown;
  output_schema: unknown;
  annotations: ToolAnnotations;
  examples: unknown;
  approval: ToolApproval | null;
  version: number;
  schema_hash: string;
  available: boolean;
  updated_at: Date;
}

/** Stores tools, embeds what is new or says something else now, and raises the version of those whose schema changed. */
export async function putTools(context: StoreContext, given: readonly NewTool[]): Promise<StoredTool[]> {
  const tools = given.map(checkTool);
  const known = new Map((await listTools(context)).map((tool) => [tool.id, tool]));
  const reworded = tools.filter((tool) => known.get(tool.id)?.description !== tool.description);
  const embedded = await context.vectors.embed(reworded.map(textOfTool));
  const vectors = reworded.map((tool, index) => ({
    kind: "tool" as const,
    ownerId: tool.id,
    vector: embedded[index] as Float32Array,
  }));
  await context.database.transaction(async (transaction) => {
    for (const tool of tools) {
      await transaction.query(UPSERT, writeTool(context, tool));
      await announce(transaction, context, { table: "tool_schema", id: tool.id });
    }
    await context.vectors.write(transaction, context.scope, vectors);
  });
  await context.vectors.remember(context.scope, vectors);
  const ids = new Set(tools.map(({ id }) => id));
  return (await listTools(context)).filter(({ id }) => ids.has(id));
}

export async function listTools({ database, scope }: StoreContext): Promise<StoredTool[]> {
  const rows = await database.query<ToolRow>(
    "select * from tool_schema where org = $1 and project = $2 order by tool_id",
    [scope.org, scope.project],
  );
  return rows.map(readTool);
}

/** A tool that is gone keeps its row: what was learned of it is still true should it come back. */
export async function setToolAvailable(context: StoreContext, id: string, available: boolean): Promise<void> {
  const { org, project } = context.scope;
  await context.database.transaction(async (transaction) => {
    await transaction.query(
      "update tool_schema set available = $4, updated_at = $5 where org = $1 and project = $2 and tool_id = $3",
      [org, project, checkToolId(id), available, context.now()],
    );
    await announce(transaction, context, { table: "tool_schema", id });
  });
}

/** What is embedded of a tool. */
export function textOfTool({ id, description }: Pick<NewTool, "id" | "description">): string {
  return `${id.replace(/[:_.-]+/g, " ")}: ${description}`;
}

const UPSERT = `insert into tool_schema as tool
    (org, project, tool_id, description, input_schema, output_schema, annotations, examples, approval, schema_hash, updated_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
  on conflict (org, project, tool_id) do update set description = excluded.description, input_schema = excluded.input_schema,
    output_schema = excluded.output_schema, annotations = excluded.annotations, examples = excluded.examples,
    approval = excluded.approval, available = true,
    version = tool.version + case when tool.schema_hash = excluded.schema_hash then 0 else 1 end,
    schema_hash = excluded.schema_hash, updated_at = excluded.updated_at`;

function checkTool(tool: NewTool): NewTool {
  checkToolId(tool.id);
  checkText(`The description of ${tool.id}`, tool.description);
  if (![undefined, "auto", "required"].includes(tool.approval))
    throw invalidInput(`The approval of ${tool.id} is "auto" or "required".`);
  return tool;
}

function writeTool({ scope, now }: StoreContext, tool: NewTool): unknown[] {
  const schemas = canonicalJson({ input: tool.inputSchema, output: tool.outputSchema });
  const hash = createHash("sha256").update(schemas).digest("hex");
  const json = [tool.inputSchema, tool.outputSchema, tool.annotations ?? {}, tool.examples].map(writeJson);
  return [scope.org, scope.project, tool.id, tool.description, ...json, tool.approval ?? null, hash, now()];
}

function readTool(row: ToolRow): StoredTool {
  return {
    id: row.tool_id,
    description: row.description,
    inputSchema: row.input_schema ?? undefined,
    outputSchema: row.output_schema ?? undefined,
    annotations: row.annotations,
    examples: row.examples ?? undefined,
    approval: row.approval ?? undefined,
    version: row.version,
    schemaHash: row.schema_hash,
    available: row.available,
    updatedAt: row.updated_at,
  };
}
