import { invalidInput } from "../model/error.js";
import { checkVisibility, type Visibility, VISIBILITIES } from "../model/scope.js";
import { checkCount, checkNumber, checkText } from "../model/text.js";
import type { StoreContext } from "../store/context.js";
import { globToLike } from "./glob.js";
import { type CapabilityRecord, FROM_RECORDS, FULL_RECORD, type FullRecordRow, readRecord } from "./record.js";
import { checkTags } from "./tags.js";
import { scopeParameters, SEEN } from "./walls.js";

/** All that is given has to hold. Texts may have `*` and `?` in them. */
export interface RecordQuery {
  name?: string;
  namespace?: string;
  createdBy?: string;
  updatedBy?: string;
  versionTag?: string;
  org?: string;
  project?: string;
  forkedFrom?: string;
  /** All of them. */
  tags?: readonly string[];
  visibility?: Visibility;
  verified?: boolean;
  minUsage?: number;
  /** 0 to 1; what was never used has none. */
  minSuccessRate?: number;
  createdAfter?: Date;
  createdBefore?: Date;
  sortBy?: "name" | "usage" | "created" | "updated";
  limit?: number;
  offset?: number;
}

const GLOBS = {
  name: "r.display_name",
  namespace: "r.namespace",
  createdBy: "r.created_by",
  updatedBy: "r.updated_by",
  versionTag: "r.version_tag",
  org: "r.org",
  project: "r.project",
  forkedFrom: "r.forked_from",
} as const;

/** Anything else that can be asked: a condition with `?` for its parameter, and what that may be. */
const CONDITIONS: Partial<Record<keyof RecordQuery, [condition: string, check: (value: unknown) => unknown]>> = {
  tags: ["r.tags @> ?::text[]", (tags) => checkTags(tags as string[])],
  visibility: ["r.visibility = ?", (given) => checkVisibility(given as Visibility, VISIBILITIES)],
  verified: ["(w.verified_at is not null) = ?", checkFlag],
  minUsage: ["used.usage_count >= ?", (given) => checkCount("The least usage", given, { min: 0, max: 2 ** 31 - 1 })],
  minSuccessRate: [
    "used.success_count >= ?::float8 * nullif(used.success_count + used.failure_count, 0)",
    (given) => checkNumber("The least success rate", given, { min: 0, max: 1 }),
  ],
  createdAfter: ["r.created_at >= ?", checkDate],
  createdBefore: ["r.created_at < ?", checkDate],
};

const ORDERS = {
  name: "r.display_name, r.id",
  usage: "used.usage_count desc, r.id",
  created: "r.created_at desc, r.id",
  updated: "r.updated_at desc, r.id",
} as const;

/** Records that this scope may see. */
export async function query(context: StoreContext, asked: RecordQuery = {}): Promise<CapabilityRecord[]> {
  const { sortBy = "name", limit = 100, offset = 0 } = asked;
  if (!Object.hasOwn(ORDERS, sortBy)) throw invalidInput(`Records are not sorted by ${String(sortBy)}.`);
  const parameters: unknown[] = scopeParameters(context.scope);
  const next = (value: unknown): string => `$${parameters.push(value)}`;
  const conditions = [
    ...Object.entries(GLOBS).flatMap(([key, column]) => {
      const glob = asked[key as keyof typeof GLOBS];
      return glob === undefined ? [] : [matchGlob(column, checkText(key, glob, 500), next)];
    }),
    ...Object.entries(CONDITIONS).flatMap(([key, [condition, check]]) => {
      const value = asked[key as keyof RecordQuery];
      return value === undefined ? [] : [condition.replace("?", next(check(value)))];
    }),
  ];
  const rows = await context.database.query<FullRecordRow>(
    `select ${FULL_RECORD} from ${FROM_RECORDS} where ${[SEEN, "r.deleted_at is null", ...conditions].join(" and ")}
     order by ${ORDERS[sortBy]} limit ${next(checkCount("The limit", limit, { min: 1, max: 10_000 }))}
     offset ${next(checkCount("The offset", offset, { min: 0, max: 2 ** 31 }))}`,
    parameters,
  );
  return rows.map(readRecord);
}

function checkFlag(given: unknown): boolean {
  if (typeof given === "boolean") return given;
  throw invalidInput("verified is true or false.");
}

function checkDate(given: unknown): Date {
  if (given instanceof Date && !Number.isNaN(given.getTime())) return given;
  throw invalidInput("createdAfter and createdBefore are dates.");
}

/** A text without wildcards is compared as it is, so that an index can be used. */
function matchGlob(column: string, glob: string, next: (value: unknown) => string): string {
  return /[*?]/.test(glob) ? `${column} like ${next(globToLike(glob))}` : `${column} = ${next(glob)}`;
}
