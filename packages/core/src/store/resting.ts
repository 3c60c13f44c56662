import type { Capability } from "../model/capability.js";
import { signCapability } from "../model/signature.js";
import { type CapabilityRow, readCapability, writeJson } from "./capability-row.js";
import { announce } from "./changes.js";
import type { StoreContext } from "./context.js";

/** The ids of all capabilities that may call one of these tools, also through those they call. */
export async function listResting({ database }: StoreContext, tools: readonly string[]): Promise<Set<string>> {
  if (tools.length === 0) return new Set();
  const rows = await database.query<{ id: string }>(
    `with recursive resting (id) as (
       select pattern_id from workflow_pattern where tools_used && $1::text[]
       union select from_capability_id from capability_dependency join resting on to_capability_id = id where edge_type = 'contains')
     select id::text as id from resting`,
    [tools],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Capabilities of the project whose own code calls one of these tools. */
export async function listByTools({ database, scope }: StoreContext, tools: readonly string[]): Promise<Capability[]> {
  const rows = await database.query<CapabilityRow>(
    "select * from workflow_pattern where org = $1 and project = $2 and tools_used && $3::text[] order by pattern_id",
    [scope.org, scope.project, tools],
  );
  return rows.map(readCapability);
}

/** What follows from a capability's code and the schemas of its tools, where these have changed. It is signed anew. */
export async function putReading(
  context: StoreContext,
  capability: Capability,
  reading: Partial<Pick<Capability, "structure" | "parameters" | "permissions">>,
): Promise<void> {
  const { structure, parameters, permissions } = { ...capability, ...reading };
  await context.database.transaction(async (transaction) => {
    await transaction.query(
      `update workflow_pattern set structure = $2, parameters = $3, permissions = $4, signature = $5, updated_at = $6
       where pattern_id = $1 and signature = $7`,
      [
        capability.id,
        writeJson(structure),
        writeJson(parameters),
        writeJson(permissions),
        signCapability({ ...capability, parameters, permissions }),
        context.now(),
        capability.signature,
      ],
    );
    await announce(transaction, context, { table: "workflow_pattern", id: capability.id });
  });
}
