import type { LearnedThing, TraceFeedback, TraceWork } from "../model/trace.js";
import type { StoreContext } from "./context.js";
import type { Row } from "./database/database.js";

/** A run as far as it takes to measure what the memory is worth: without what its calls were given and gave. */
export interface MeasuredRun {
  id: string;
  capabilityId: string | undefined;
  intent: string | undefined;
  mode: string | undefined;
  success: boolean;
  /** It says something of its capability. */
  counted: boolean;
  args: unknown;
  work: TraceWork | undefined;
  match: number | undefined;
  feedback: TraceFeedback | undefined;
  calls: MeasuredCall[];
  /** What it taught of the kinds that were asked for. */
  learned: LearnedThing[];
  startedAt: Date;
  durationMs: number;
}

export interface MeasuredCall {
  tool: string;
  /** Undefined where it was not begun before it was asked for. */
  savedMs: number | undefined;
}

interface MeasuredRow extends Row {
  trace_id: string;
  capability_id: string | null;
  intent: string | null;
  mode: string | null;
  success: boolean;
  counted: boolean;
  args: unknown;
  work: TraceWork | null;
  match_score: number | null;
  feedback: TraceFeedback | null;
  calls: { tool: unknown; savedMs: unknown }[] | null;
  learned: LearnedThing[] | null;
  started_at: Date;
  duration_ms: number;
}

const VISIBLE = "org = $1 and project = $2 and owner in ('', $3)";

/** The newest first, those before `after` only; with what each taught of these kinds. */
export async function listMeasuredRuns(
  { database, scope }: StoreContext,
  { kinds, after, limit }: { kinds: readonly string[]; after: MeasuredRun | undefined; limit: number },
): Promise<MeasuredRun[]> {
  const rows = await database.query<MeasuredRow>(
    `select trace_id, capability_id, intent, mode, success, counted, args, work, match_score, feedback, started_at, duration_ms,
       (select json_agg(json_build_object('tool', t->'tool', 'savedMs', t->'savedMs')) from json_array_elements(tasks) t) as calls,
       (select json_agg(json_build_object('kind', kind, 'key', learned_key) order by kind, learned_key)
        from learned_from l where l.trace_id = e.trace_id and kind = any($4::text[])) as learned
     from execution_trace e where ${VISIBLE} and ($5::timestamptz is null or (started_at, trace_id) < ($5, $6::uuid))
     order by started_at desc, trace_id desc limit $7`,
    [scope.org, scope.project, scope.actor, kinds, after?.startedAt ?? null, after?.id ?? null, limit],
  );
  return rows.map(readRun);
}

export async function countMeasuredRuns({ database, scope }: StoreContext): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    `select count(*)::int as count from execution_trace where ${VISIBLE}`,
    [scope.org, scope.project, scope.actor],
  );
  return row?.count ?? 0;
}

function readRun(row: MeasuredRow): MeasuredRun {
  return {
    id: row.trace_id,
    capabilityId: row.capability_id ?? undefined,
    intent: row.intent ?? undefined,
    mode: row.mode ?? undefined,
    success: row.success,
    counted: row.counted,
    args: row.args ?? undefined,
    work: row.work ?? undefined,
    match: row.match_score ?? undefined,
    feedback: row.feedback ?? undefined,
    calls: (row.calls ?? []).map(readCall),
    learned: row.learned ?? [],
    startedAt: row.started_at,
    durationMs: row.duration_ms,
  };
}

/** A trace may have been stored by a host, in any form. */
function readCall({ tool, savedMs }: { tool: unknown; savedMs: unknown }): MeasuredCall {
  return { tool: String(tool), savedMs: Number.isFinite(savedMs) ? (savedMs as number) : undefined };
}
