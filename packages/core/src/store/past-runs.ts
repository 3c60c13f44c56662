import type { StoredPastIntent } from "../model/trace.js";
import type { StoreContext } from "./context.js";
import type { Row } from "./database/database.js";
import { readPastIntents } from "./past-intents.js";

/** A past intent, and what served it: its tools in the order of the code, and from where to where data went. */
export interface StoredPastRun extends Pick<StoredPastIntent, "intent" | "vector"> {
  readonly tools: readonly string[];
  /** Absent where nothing but the tools is known. */
  readonly flows?: readonly (readonly [from: string, to: string])[];
}

/** As much of a structure as matters here: the rest of it is large. */
interface Outline extends Row {
  id: string;
  nodes: { id: string; type: string; tool?: string | null }[] | null;
  flows: (readonly [from: string, to: string])[] | null;
}

const PAGE = 200;

/** The latest first. Of what has no code that was read, only single tools: the order of several is not known. */
export async function readPastRuns(context: StoreContext, limit: number): Promise<StoredPastRun[]> {
  const intents: StoredPastIntent[] = [];
  for await (const intent of readPastIntents(context, limit)) intents.push(intent);
  const outlines = await readOutlines(context, [...new Set(intents.flatMap(({ capabilityId }) => capabilityId ?? []))]);
  return intents.flatMap(({ intent, vector, toolIds, capabilityId }) => {
    const outline = outlines.get(capabilityId ?? "");
    if (outline !== undefined) return [{ intent, vector, ...outline }];
    return toolIds.length === 1 ? [{ intent, vector, tools: toolIds }] : [];
  });
}

async function readOutlines(
  { database, scope }: StoreContext,
  ids: readonly string[],
): Promise<Map<string, Pick<StoredPastRun, "tools" | "flows">>> {
  const outlines = new Map<string, Pick<StoredPastRun, "tools" | "flows">>();
  for (let start = 0; start < ids.length; start += PAGE) {
    const rows = await database.query<Outline>(
      `select pattern_id::text as id,
         (select json_agg(json_build_object('id', n->'id', 'type', n->'type', 'tool', n->'tool')) from json_array_elements(structure->'nodes') n) as nodes,
         (select json_agg(json_build_array(e->'from', e->'to')) from json_array_elements(structure->'edges') e where e->>'type' = 'provides') as flows
       from workflow_pattern where org = $1 and project = $2 and owner in ('', $3) and structure is not null and pattern_id = any($4::uuid[])`,
      [scope.org, scope.project, scope.actor, ids.slice(start, start + PAGE)],
    );
    for (const { id, nodes, flows } of rows) outlines.set(id, outlineRun(nodes ?? [], flows ?? []));
  }
  return outlines;
}

/** What goes through operations and other capabilities goes from tool to tool. */
export function outlineRun(
  nodes: NonNullable<Outline["nodes"]>,
  edges: NonNullable<Outline["flows"]>,
): Pick<StoredPastRun, "tools" | "flows"> {
  const isTool = ({ type, tool }: (typeof nodes)[number]): boolean =>
    type === "task" && typeof tool === "string" && !tool.startsWith("code:") && !tool.includes("*");
  const tools = new Map(nodes.filter(isTool).map(({ id, tool }) => [id, tool ?? ""]));
  const next = new Map<string, string[]>();
  for (const [from, to] of edges) next.set(from, [...(next.get(from) ?? []), to]);
  const flows = [...tools].flatMap(([start, from]) =>
    listReached(next, start, tools).map((end) => [from, tools.get(end) ?? ""] as const),
  );
  return { tools: [...tools.values()], flows };
}

function listReached(
  next: ReadonlyMap<string, readonly string[]>,
  start: string,
  ends: ReadonlyMap<string, unknown>,
): string[] {
  const reached = new Set(next.get(start) ?? []);
  for (const id of reached) if (!ends.has(id)) for (const each of next.get(id) ?? []) reached.add(each);
  return [...reached].filter((id) => ends.has(id) && id !== start);
}
