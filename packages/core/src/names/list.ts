import type { Capability } from "../model/capability.js";
import { invalidInput } from "../model/error.js";
import type { Scope } from "../model/scope.js";
import { checkCount, checkText } from "../model/text.js";
import { type CapabilityRow, readCapability, visibleFrom } from "../store/capability-row.js";
import type { StoreContext } from "../store/context.js";
import { unnamed } from "./display-name.js";
import { formatHome } from "./fqdn.js";
import { scopeParameters } from "./walls.js";

export interface ListCapabilities {
  namespace?: string;
  /** Leave out what is called `unnamed_<hash>`. */
  namedOnly?: boolean;
  sortBy?: "name" | "usage" | "created";
  /** Show also what has not worked yet. */
  includeDrafts?: boolean;
  limit?: number;
  offset?: number;
}

export interface ListedCapability {
  id: string;
  name: string;
  description: string;
  usageCount: number;
  successRate: number | undefined;
  /** Names of what it can be given. */
  parameters: string[];
  createdAt: Date;
}

const ORDERS = {
  name: "name nulls last, code_hash",
  usage: "usage_count desc, pattern_id",
  created: "created_at desc, pattern_id",
};

/** What this scope may call, by name. */
export async function listCapabilities(
  context: StoreContext,
  options: ListCapabilities = {},
): Promise<ListedCapability[]> {
  const { namespace, namedOnly = false, sortBy = "name", includeDrafts = false, limit = 100, offset = 0 } = options;
  if (!Object.hasOwn(ORDERS, sortBy)) throw invalidInput(`Capabilities are not sorted by ${String(sortBy)}.`);
  const rows = await context.database.query<CapabilityRow>(
    `select * from workflow_pattern where ${visibleFrom(1)} and not superseded
       and ($4::text is null or starts_with(name, $4 || ':')) and (not $5::boolean or name is not null)
       and (name is not null or (org = $1 and project = $2)) and ($6::boolean or status <> 'draft' or name is not null) order by ${ORDERS[sortBy]} limit $7 offset $8`,
    [
      ...scopeParameters(context.scope),
      namespace === undefined ? null : checkText("The namespace", namespace, 100),
      namedOnly,
      includeDrafts,
      checkCount("The limit", limit, { min: 1, max: 10_000 }),
      checkCount("The offset", offset, { min: 0, max: 2 ** 31 }),
    ],
  );
  return rows.map((row) => show(row, context.scope));
}

function show(row: CapabilityRow, scope: Scope): ListedCapability {
  const capability = readCapability(row);
  const { id, description, intent, statistics, parameters, createdAt } = capability;
  const properties = (parameters as { properties?: object } | undefined)?.properties ?? {};
  return {
    id,
    name: nameFrom(scope, capability),
    description: description ?? intent,
    usageCount: statistics.usageCount,
    successRate: statistics.successRate,
    parameters: Object.keys(properties),
    createdAt,
  };
}

/** What it can be called by from there: across projects, with its home before it. */
function nameFrom({ org, project }: Scope, capability: Capability): string {
  const name = capability.name ?? unnamed(capability.hash);
  return capability.org === org && capability.project === project ? name : `${formatHome(capability)}:${name}`;
}
