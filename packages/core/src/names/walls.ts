import type { Scope } from "../model/scope.js";
import type { StoreContext } from "../store/context.js";
import type { Queryable } from "../store/database/database.js";

/**
 * Which records (as `r`) a scope may see, with its org, project and actor as `$1`, `$2`, `$3`. It stands in every query
 * of records: what may not be seen is not found.
 */
export const SEEN = `((r.org = $1 and r.project = $2 and (r.owner = '' or r.owner = $3))
  or (r.visibility = 'org' and r.org = $1) or r.visibility = 'public')`;

export function scopeParameters({ org, project, actor }: Scope): string[] {
  return [org, project, actor];
}

/**
 * Changes of names in one project happen one after the other. A name can be a record's or an alias, which no unique
 * index spans; behind this lock, what was looked up stays true until the transaction ends.
 */
export async function lockNames(transaction: Queryable, { scope }: Pick<StoreContext, "scope">): Promise<void> {
  await transaction.query("select pg_advisory_xact_lock(hashtextextended($1, 7163552))", [
    `${scope.org}\n${scope.project}`,
  ]);
}
