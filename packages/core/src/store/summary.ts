import type { StoreContext } from "./context.js";
import type { Row } from "./database/database.js";

/** How much a project has in its memory. */
export interface StoreSummary {
  capabilities: { active: number; draft: number; degraded: number; named: number };
  tools: { available: number; away: number };
  runs: { kept: number; failed: number };
  /** Runs that wait for an answer, or were cut off. */
  unfinished: number;
}

interface SummaryRow extends Row {
  active: number;
  draft: number;
  degraded: number;
  named: number;
  available: number;
  away: number;
  kept: number;
  failed: number;
  unfinished: number;
}

export async function summarise({ database, scope }: StoreContext): Promise<StoreSummary> {
  const [row] = await database.query<SummaryRow>(SUMMARY, [scope.org, scope.project, scope.actor]);
  const { active, draft, degraded, named, available, away, kept, failed, unfinished } = row as SummaryRow;
  return {
    capabilities: { active, draft, degraded, named },
    tools: { available, away },
    runs: { kept, failed },
    unfinished,
  };
}

const HERE = "org = $1 and project = $2";
const SUMMARY = `
  with own as (select * from workflow_pattern where ${HERE} and owner in ('', $3) and not superseded),
       run as (select success from execution_trace where ${HERE} and owner in ('', $3)),
       tool as (select available from tool_schema where ${HERE})
  select (select count(*) filter (where status = 'active') from own)::int as active,
         (select count(*) filter (where status = 'draft') from own)::int as draft,
         (select count(*) filter (where status = 'degraded') from own)::int as degraded,
         (select count(*) filter (where name is not null) from own)::int as named,
         (select count(*) filter (where available) from tool)::int as available,
         (select count(*) filter (where not available) from tool)::int as away,
         (select count(*) from run)::int as kept,
         (select count(*) filter (where not success) from run)::int as failed,
         (select count(*) from workflow where ${HERE} and status in ('running', 'waiting'))::int as unfinished`;
