import type { Capability } from "../../model/capability.js";
import { checkCount } from "../../model/text.js";
import { type CapabilityRow, readCapability } from "../../store/capability-row.js";
import type { StoreContext } from "../../store/context.js";
import { scopeParameters } from "../walls.js";
import { inferNamespace } from "./namespace-rules.js";

export interface CurationFilter {
  /** Default true. */
  unnamedOnly?: boolean;
  namespace?: string;
  /** Used so often or more. */
  minUsage?: number;
}

const OWN = "org = $1 and project = $2 and owner = any(array['', $3])";
const WORKED = "status <> 'draft' and not superseded";

/** What of this project could get a name, most used first. */
export async function listCandidatesForNames(
  context: StoreContext,
  { filter = {}, limit = 500 }: { filter?: CurationFilter; limit?: number },
): Promise<Capability[]> {
  const { unnamedOnly = true, namespace, minUsage = 0 } = filter;
  const rows = await context.database.query<CapabilityRow>(
    `select * from workflow_pattern where ${OWN} and ${WORKED} and (not $4::boolean or name is null)
       and usage_count >= $5 order by usage_count desc, pattern_id limit $6`,
    [
      ...scopeParameters(context.scope),
      unnamedOnly,
      checkCount("The least usage", minUsage, { min: 0, max: 2 ** 31 - 1 }),
      checkCount("The limit", limit, { min: 1, max: 10_000 }),
    ],
  );
  const found = rows.map(readCapability);
  return namespace === undefined ? found : found.filter((each) => namespaceOf(each) === namespace);
}

export async function countUnnamed({ database, scope }: StoreContext): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    `select count(*)::int as count from workflow_pattern where ${OWN} and ${WORKED} and name is null`,
    scopeParameters(scope),
  );
  return row?.count ?? 0;
}

/** Which of the names this scope could not give: those of records, old ones and deleted ones. */
export async function listTakenNames(
  { database, scope }: StoreContext,
  names: readonly string[],
): Promise<Set<string>> {
  const rows = await database.query<{ name: string }>(
    `select display_name as name from capability_records where ${OWN} and display_name = any($4::text[])
     union select alias from capability_aliases where ${OWN} and alias = any($4::text[])`,
    [...scopeParameters(scope), names],
  );
  return new Set(rows.map(({ name }) => name));
}

function namespaceOf({ name, toolsUsed }: Capability): string {
  return name === undefined ? inferNamespace(toolsUsed) : name.slice(0, name.indexOf(":"));
}
