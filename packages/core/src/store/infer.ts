import { OBSERVED_AT, SOURCE_CONFIDENCE } from "../model/dependency.js";
import type { StoreContext } from "./context.js";
import type { Queryable } from "./database/database.js";

/** A capability that shares so much of another's tools stands in sequence with it. */
const SHARED_TOOLS = 0.5;
const STRONGEST = 20;

/** Edges to the capabilities that share tools with this one, through the index of tools: the strongest, and no more. */
export async function inferFromTools(transaction: Queryable, context: StoreContext, id: string): Promise<void> {
  const { org, project } = context.scope;
  await transaction.query(
    `insert into capability_dependency (from_capability_id, to_capability_id, edge_type, edge_source, confidence_score, created_at, last_observed)
     select new.pattern_id, other.pattern_id, 'sequence', 'inferred', $4::float8, $5::timestamptz, $5::timestamptz
     from workflow_pattern new join workflow_pattern other
       on other.tools_used && new.tools_used and other.pattern_id <> new.pattern_id and other.org = $2 and other.project = $3
       and other.owner in ('', new.owner) and (other.shape is null or new.shape is null or other.shape <> new.shape)
     cross join lateral (select count(*)::float8 as shared from unnest(other.tools_used) tool where tool = any(new.tools_used)) overlap
     where new.pattern_id = $1 and overlap.shared >= $6::float8 * cardinality(other.tools_used)
     order by overlap.shared / cardinality(other.tools_used) desc, other.usage_count desc, other.pattern_id
     limit ${STRONGEST}
     on conflict (from_capability_id, to_capability_id, edge_type) do nothing`,
    [id, org, project, SOURCE_CONFIDENCE.inferred, context.now(), SHARED_TOOLS],
  );
}

/** The part of an upsert that folds in one more observation: at three, what was inferred counts as observed. */
export function observeEdge(table: "capability_dependency" | "tool_dependency", by: string): string {
  const count = `${table}.observed_count + ${by}`;
  const promoted = `${table}.edge_source in ('template', 'inferred') and ${count} >= ${OBSERVED_AT}`;
  return `observed_count = ${count},
    edge_source = case when ${promoted} then 'observed' else ${table}.edge_source end,
    confidence_score = case when ${promoted} then ${SOURCE_CONFIDENCE.observed} else ${table}.confidence_score end`;
}
