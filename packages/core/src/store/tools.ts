import { createHash } from "node:crypto";

import { invalidInput } from "../model/error.js";
import { canonicalJson } from "../model/identity.js";
import { describeSchema } from "../model/schema-text.js";
import { checkText } from "../model/text.js";
import { checkToolId, type NewTool, type StoredTool, type ToolAnnotations, type ToolApproval } from "../model/tool.js";
import { listViews } from "../model/views.js";
import { writeJson } from "./capability-row.js";
import { announce } from "./changes.js";
import type { StoreContext } from "./context.js";
import type { Row } from "./database/database.js";
import type { NewVector } from "./vectors/vector-table.js";

type ToolText = Pick<NewTool, "id" | "description" | "inputSchema">;

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

/** Stores what is new or has changed, embeds what says something else now, and raises the version of changed schemas. */
export async function putTools(context: StoreContext, given: readonly NewTool[]): Promise<StoredTool[]> {
  const tools = given.map(checkTool);
  const known = new Map((await listTools(context)).map((tool) => [tool.id, tool]));
  const changed = tools.filter((tool) => !isKnown(tool, known.get(tool.id)));
  if (changed.length > 0) await writeTools(context, changed);
  const ids = new Set(tools.map(({ id }) => id));
  return (changed.length > 0 ? await listTools(context) : [...known.values()]).filter(({ id }) => ids.has(id));
}

async function writeTools(context: StoreContext, tools: readonly NewTool[]): Promise<void> {
  const vectors = await embedTools(context, tools);
  await context.database.transaction(async (transaction) => {
    for (const tool of tools) {
      await transaction.query(UPSERT, writeTool(context, tool));
      await announce(transaction, context, { table: "tool_schema", id: tool.id });
    }
    await context.vectors.table.write(transaction, context.scope, vectors);
  });
  await context.vectors.remember(context.scope, vectors);
}

function isKnown(tool: NewTool, known: StoredTool | undefined): boolean {
  if (known === undefined || !known.available) return false;
  const { description, inputSchema, outputSchema, annotations = {}, examples, approval } = tool;
  const stored = [
    known.description,
    known.inputSchema,
    known.outputSchema,
    known.annotations,
    known.examples,
    known.approval,
  ];
  return (
    canonicalJson([description, inputSchema, outputSchema, annotations, examples, approval]) === canonicalJson(stored)
  );
}

/** What a tool is, and, under an id of its own, what it takes. */
async function embedTools({ vectors }: StoreContext, tools: readonly ToolText[]): Promise<NewVector[]> {
  const owners = tools.flatMap(listToolTexts);
  const made = await vectors.embed(owners.map(({ text }) => text));
  return owners.map(({ ownerId }, at) => ({ kind: "tool", ownerId, vector: made[at] as Float32Array }));
}

/** What a tool's vectors are made of, and the ids they go by. */
export function listToolTexts(tool: ToolText): { ownerId: string; text: string }[] {
  return viewsOfTool(tool).map((text, view) => ({ ownerId: view === 0 ? tool.id : schemaVectorId(tool.id), text }));
}

/** An id has no spaces, so this is none. */
export function schemaVectorId(toolId: string): string {
  return `${toolId} schema`;
}

function viewsOfTool({ id, description, inputSchema }: ToolText): string[] {
  return listViews({ name: id, description, schemaText: describeSchema(inputSchema) });
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
