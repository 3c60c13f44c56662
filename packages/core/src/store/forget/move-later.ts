import { SOURCE_CONFIDENCE } from "../../model/dependency.js";
import type { StoreContext } from "../context.js";
import type { Queryable } from "../database/database.js";
import { observeEdge, sharesTools, unobserveEdge } from "../infer.js";

/**
 * A capability came later than it did: those that came in between had related themselves to it by the tools they share, and
 * now it is the one that does.
 */
export async function moveLater(
  transaction: Queryable,
  context: StoreContext,
  { id, from, to }: { id: string; from: Date; to: Date },
): Promise<void> {
  const { org, project } = context.scope;
  const between = [id, org, project, from, to];
  await transaction.query(
    `update capability_dependency set ${unobserveEdge()} where to_capability_id = $1 and edge_type = 'sequence' and from_capability_id in (
       select new.pattern_id from workflow_pattern new join workflow_pattern other on other.pattern_id = $1 and ${sharesTools(2)}
       where new.org = $2 and new.project = $3 and new.created_at > $4::timestamptz and new.created_at < $5::timestamptz)`,
    between,
  );
  await transaction.query(
    "delete from capability_dependency where to_capability_id = $1 and edge_type = 'sequence' and observed_count <= 0",
    [id],
  );
  await transaction.query(
    `insert into capability_dependency (from_capability_id, to_capability_id, edge_type, edge_source, confidence_score, created_at, last_observed)
     select $1::uuid, other.pattern_id, 'sequence', 'inferred', ${SOURCE_CONFIDENCE.inferred}, $6::timestamptz, $6::timestamptz
     from workflow_pattern new join workflow_pattern other on ${sharesTools(2)}
     where new.pattern_id = $1 and other.created_at > $4::timestamptz and other.created_at < $5::timestamptz
     on conflict (from_capability_id, to_capability_id, edge_type) do update set ${observeEdge("capability_dependency", { by: "1" })}`,
    [...between, context.now()],
  );
  await transaction.query("update workflow_pattern set created_at = $2 where pattern_id = $1", [id, to]);
}
