import { OBSERVED_AT, SOURCE_CONFIDENCE } from "../model/dependency.js";
import type { StoreContext } from "./context.js";
import type { Queryable } from "./database/database.js";

/** A capability that shares so much of another's tools stands in sequence with it. */
const SHARED_TOOLS = 0.5;
const STRONGEST = 20;

const SHARED = "(select count(*)::float8 from unnest(other.tools_used) tool where tool = any(new.tools_used))";

/** That the row `new` relates itself to the row `other`, with the org and the project as two parameters from `$first` on. */
export function sharesTools(first: number): string {
  return `other.tools_used && new.tools_used and other.pattern_id <> new.pattern_id and other.org = $${first} and other.project = $${first + 1}
    and other.owner in ('', new.owner) and not other.superseded and (other.shape is null or new.shape is null or other.shape <> new.shape)
    and ${SHARED} >= ${SHARED_TOOLS} * cardinality(other.tools_used)`;
}

/** Edges to the capabilities that share tools with this one, through the index of tools: the strongest, and no more. */
export async function inferFromTools(transaction: Queryable, context: StoreContext, id: string): Promise<void> {
  const { org, project } = context.scope;
  await transaction.query(
    `insert into capability_dependency (from_capability_id, to_capability_id, edge_type, edge_source, confidence_score, created_at, last_observed)
     select new.pattern_id, other.pattern_id, 'sequence', 'inferred', $4::float8, $5::timestamptz, $5::timestamptz
     from workflow_pattern new join workflow_pattern other on ${sharesTools(2)}
     where new.pattern_id = $1
     order by ${SHARED} / cardinality(other.tools_used) desc, other.usage_count desc, other.pattern_id
     limit ${STRONGEST}
     on conflict (from_capability_id, to_capability_id, edge_type) do nothing`,
    [id, org, project, SOURCE_CONFIDENCE.inferred, context.now()],
  );
}

/** Above this, on the calibrated scale, two intents are one request; with other tools, one serves in place of the other. */
const ALTERNATIVE_ABOVE = 0.9;
const NEIGHBOURS = 20;

/** Capabilities whose intent is the same request by the calibration, nearest first. */
export async function findSameRequest(context: StoreContext, vector: Float32Array): Promise<string[]> {
  const near = await context.vectors.search("capability", vector, { limit: NEIGHBOURS, scope: context.scope });
  return near.filter(({ cosine }) => context.vectors.calibrate(cosine) > ALTERNATIVE_ABOVE).map(({ id }) => id);
}

/** Edges to those of the `others` that do it with other tools. An alternative is one edge, the smaller id first. */
export async function inferAlternatives(
  transaction: Queryable,
  context: StoreContext,
  { id, others }: { id: string; others: readonly string[] },
): Promise<void> {
  const { org, project } = context.scope;
  await transaction.query(
    `insert into capability_dependency (from_capability_id, to_capability_id, edge_type, edge_source, confidence_score, created_at, last_observed)
     select least(new.pattern_id, other.pattern_id), greatest(new.pattern_id, other.pattern_id), 'alternative', 'inferred', $5::float8, $6::timestamptz, $6::timestamptz
     from workflow_pattern new join workflow_pattern other
       on other.pattern_id = any($4::uuid[]) and other.pattern_id <> new.pattern_id and other.org = $2 and other.project = $3
       and other.owner in ('', new.owner) and not (other.tools_used @> new.tools_used and other.tools_used <@ new.tools_used)
     where new.pattern_id = $1
     on conflict (from_capability_id, to_capability_id, edge_type) do nothing`,
    [id, org, project, others, SOURCE_CONFIDENCE.inferred, context.now()],
  );
}

/** Edges to the capabilities that its code calls, by their names. What is not here is left to the run to find. */
export async function inferFromCalls(
  transaction: Queryable,
  context: StoreContext,
  { id, called }: { id: string; called: readonly string[] },
): Promise<void> {
  if (called.length === 0) return;
  const { org, project, actor } = context.scope;
  const names = called.map((name) => name.replace(/@.*$/, ""));
  await transaction.query(
    `insert into capability_dependency (from_capability_id, to_capability_id, edge_type, edge_source, confidence_score, created_at, last_observed)
     select $5::uuid, pattern_id, 'contains', 'inferred', $6::float8, $7::timestamptz, $7::timestamptz from workflow_pattern
     where pattern_id <> $5::uuid and org = $1 and project = $2 and owner in ('', $3)
       and (name = any($4::text[]) or exists (select 1 from unnest($4::text[]) as call where starts_with('unnamed_' || code_hash, call) and length(call) >= 16))
     on conflict (from_capability_id, to_capability_id, edge_type) do nothing`,
    [org, project, actor, names, id, SOURCE_CONFIDENCE.inferred, context.now()],
  );
}

/** The part of an update that takes one observation out again: what is too rarely seen now was inferred, and no more. */
export function unobserveEdge(): string {
  const isNoMore = `edge_source = 'observed' and observed_count - 1 < ${OBSERVED_AT}`;
  return `observed_count = observed_count - 1,
    edge_source = case when ${isNoMore} then 'inferred' else edge_source end,
    confidence_score = case when ${isNoMore} then ${SOURCE_CONFIDENCE.inferred} else confidence_score end`;
}

/**
 * The part of an upsert that folds one more observation in: at three, what was inferred counts as observed, and a
 * surer source replaces a less sure one. `given` is the row that comes in.
 */
export function observeEdge(
  table: "capability_dependency" | "tool_dependency",
  { by, given = "excluded" }: { by: string; given?: string },
): string {
  const count = `${table}.observed_count + ${by}`;
  const isEither = (source: string): string => `'${source}' in (${table}.edge_source, ${given}.edge_source)`;
  return `observed_count = ${count},
    edge_source = case when ${isEither("manual")} then 'manual' when ${isEither("observed")} or ${count} >= ${OBSERVED_AT} then 'observed'
      when ${isEither("inferred")} then 'inferred' else 'template' end,
    confidence_score = greatest(${table}.confidence_score, ${given}.confidence_score, case when ${count} >= ${OBSERVED_AT} then ${SOURCE_CONFIDENCE.observed} else 0 end)`;
}
