import { PmlError } from "../model/error.js";
import type { CapabilityRow } from "../store/capability-row.js";
import type { StoreContext } from "../store/context.js";
import type { Queryable, Row } from "../store/database/database.js";
import {
  type CapabilityRecord,
  FROM_RECORDS,
  FULL_RECORD,
  type FullRecordRow,
  readRecord,
  type RecordRow,
} from "./record.js";
import { formatReference, type Reference, type Target } from "./reference.js";
import { scopeParameters, SEEN } from "./walls.js";

/** A deleted name is given to nobody for so long: who still has it in mind gets an error, not something else. */
const RESERVED_DAYS = 30;
/** Of a name that anybody may have made up. */
const LONGEST_SHOWN = 300;

export interface FoundRecord {
  row: RecordRow & { capability_id: string };
  /** Found under an old name. */
  viaAlias: boolean;
}

/** What is selected of a record `r`, and joined to it. */
interface Shown {
  columns: string;
  join: string;
}

const RECORD: Shown = { columns: "r.*", join: "" };
/** The record with its capability, in one statement: names are resolved far more often than changed. */
const WITH_CAPABILITY: Shown = {
  columns: `r.id as fqdn, r.capability_id, r.display_name, r.version, r.version_tag, r.deleted_at, w.*`,
  join: "left join workflow_pattern w on w.pattern_id = r.capability_id",
};

/** Whose names are asked for, and where: here, the project's and the actor's own; elsewhere, those that are shared. */
const HERE = "org = $1 and project = $2 and owner in ('', $3)";
const THERE = "org = $5 and project = $6 and owner = ''";

/** At most two: the actor's own, and the project's. */
export function findByName(isHere: boolean, { columns, join }: Shown = RECORD): string {
  return `select ${columns}, r.owner, false as via_alias from (select * from capability_records where display_name = $4 and ${isHere ? HERE : THERE}) r
    ${join} ${isHere ? "" : `where ${SEEN}`}`;
}

export function findByAlias(isHere: boolean, { columns, join }: Shown = RECORD): string {
  return `select ${columns}, r.owner, true as via_alias from capability_records r ${join}
    where r.id in (select target_fqdn from capability_aliases where alias = $4 and ${isHere ? HERE : THERE}) and ${SEEN}`;
}

function findByHash({ columns, join }: Shown): string {
  return `select ${columns}, r.owner, false as via_alias from capability_records r ${join}
    where r.org = $4 and r.project = $5 and r.hash >= $6 and r.hash < $6 || 'g' and ${SEEN} order by r.hash limit 2`;
}

function findByCapability({ columns, join }: Shown): string {
  return `select ${columns}, r.owner, false as via_alias from capability_records r ${join}
    where r.capability_id = $4 and r.deleted_at is null and ${SEEN} order by r.created_at, r.id limit 1`;
}

type Context = Pick<StoreContext, "scope" | "now">;
type Key = Pick<RecordRow, "capability_id" | "display_name" | "deleted_at" | "owner">;

/** The record that is meant, or undefined; throws for one that was deleted. */
export async function findRecord(
  queryable: Queryable,
  context: Context,
  reference: Reference,
): Promise<FoundRecord | undefined> {
  const row = await find<RecordRow & { via_alias: boolean }>(queryable, context, { reference, shown: RECORD });
  return row && { row: { ...row, capability_id: row.capability_id as string }, viaAlias: row.via_alias };
}

/** A record's own columns, by names that its capability's do not have, and all of the capability's. */
export interface LoadedRow extends CapabilityRow {
  fqdn: string;
  capability_id: string;
  display_name: string;
  owner: string;
  version: number;
  version_tag: string | null;
  deleted_at: Date | null;
  via_alias: boolean;
}

/** As `findRecord`, with what the record points at. */
export async function findLoaded(
  queryable: Queryable,
  context: Context,
  reference: Reference,
): Promise<LoadedRow | undefined> {
  return find<LoadedRow>(queryable, context, { reference, shown: WITH_CAPABILITY });
}

async function find<T extends Row & Key>(
  queryable: Queryable,
  { scope, now }: Context,
  { reference, shown }: { reference: Reference; shown: Shown },
): Promise<T | undefined> {
  const { statements, parameters } = lookup(scope, reference.target, shown);
  for (const sql of statements) {
    const rows = await queryable.query<T>(sql, [...scopeParameters(scope), ...parameters]);
    const row = choose(rows, reference);
    if (row !== undefined)
      return row.capability_id === null || row.deleted_at !== null ? refuseDeleted(row, now()) : row;
  }
  return undefined;
}

export async function getRecordRow(queryable: Queryable, context: Context, reference: Reference): Promise<FoundRecord> {
  const found = await findRecord(queryable, context, reference);
  if (found === undefined) throw notFound(reference);
  return found;
}

/** With everything that belongs to it. */
export async function readFullRecord({ database, scope }: StoreContext, fqdn: string): Promise<CapabilityRecord> {
  const [row] = await database.query<FullRecordRow>(
    `select ${FULL_RECORD} from ${FROM_RECORDS} where r.id = $4 and r.deleted_at is null and ${SEEN}`,
    [...scopeParameters(scope), fqdn],
  );
  if (row === undefined) throw new PmlError("PML_NOT_FOUND", `There is no record ${fqdn}.`, { details: { fqdn } });
  return readRecord(row);
}

export function reservedUntil(deletedAt: Date): Date {
  return new Date(deletedAt.getTime() + RESERVED_DAYS * 86_400_000);
}

export function notFound(reference: Reference): PmlError {
  const name = formatReference(reference).slice(0, LONGEST_SHOWN);
  const { kind } = reference.target;
  const isNamed = kind === "name" || kind === "fqdn";
  const advice = isNamed ? "See listCapabilities()" : "If it has none, give it a name first";
  return new PmlError("PML_NOT_FOUND", `There is no capability named "${name}" here. ${advice}.`, {
    details: { name },
  });
}

/** Asked in turn until one answers: what has the name comes before what had it. */
function lookup(
  scope: StoreContext["scope"],
  target: Target,
  shown: Shown,
): { statements: string[]; parameters: unknown[] } {
  switch (target.kind) {
    case "name": {
      const { org, project } = target.home ?? scope;
      const isHere = org === scope.org && project === scope.project;
      const statements = [findByName(isHere, shown), findByAlias(isHere, shown)];
      return { statements, parameters: isHere ? [target.name] : [target.name, org, project] };
    }
    case "fqdn": {
      const { org, project, hash } = target.fqdn;
      return { statements: [findByHash(shown)], parameters: [org, project, hash] };
    }
    case "id":
      return { statements: [findByCapability(shown)], parameters: [target.id] };
    case "unnamed":
      return { statements: [], parameters: [] };
  }
}

/** What is there before what was deleted, the actor's own before the project's. Full names are either the only one, or too short. */
function choose<T extends Key>(rows: readonly T[], reference: Reference): T | undefined {
  if (rows.length > 1 && reference.target.kind === "fqdn") throw ambiguous(reference);
  const rank = ({ deleted_at, owner }: Key): number => (deleted_at === null ? 0 : 2) + (owner === "" ? 1 : 0);
  return [...rows].sort((a, b) => rank(a) - rank(b))[0];
}

function refuseDeleted(row: Key, now: Date): undefined {
  if (row.deleted_at === null || reservedUntil(row.deleted_at) <= now) return undefined;
  const until = reservedUntil(row.deleted_at).toISOString().slice(0, 10);
  throw new PmlError("PML_NOT_FOUND", `"${row.display_name}" was deleted; its name is reserved until ${until}.`, {
    details: { name: row.display_name, deletedAt: row.deleted_at.toISOString() },
  });
}

function ambiguous(reference: Reference): PmlError {
  const name = formatReference(reference);
  return new PmlError("PML_NAME_AMBIGUOUS", `"${name}" may mean several. Say more of its hash.`, { details: { name } });
}
