import { kindOfNode } from "../node.js";
import { type CallEvent, type RunRecord, sortCalls } from "../run/call-event.js";
import { listSuccessions } from "../run/successions.js";
import { isTelling } from "../run/telling-values.js";
import type { Dag, DagTask } from "./dag.js";

type Path = readonly (string | number)[];
type Makers = Map<string, { readonly task: string; readonly path: Path }>;

const DEEPEST = 12;
const MOST_VALUES = 5000;

/**
 * One run as a DAG that can be run again: an argument that an earlier call returned is taken from there, and calls that
 * followed each other still do. Operations left no arguments and are left out; so is what capabilities did inside.
 */
export function reconstructDag({ calls }: RunRecord): Dag {
  const steps = sortCalls(calls).filter(
    ({ parentId, name }) => parentId === undefined && kindOfNode(name) !== "operation",
  );
  const ids = new Map(steps.map((call, at) => [call, `t${at + 1}`]));
  const before = new Map<CallEvent, Set<string>>();
  for (const [earlier, later] of listSuccessions(steps)) {
    before.set(later, (before.get(later) ?? new Set()).add(ids.get(earlier) ?? ""));
  }
  const makers: Makers = new Map();
  const returned = [...steps].sort((a, b) => a.endMs - b.endMs);
  return {
    tasks: steps.map((call) => buildTask(call, { ids, before, makers: takeEnded(makers, returned, { call, ids }) })),
  };
}

interface Known {
  readonly ids: ReadonlyMap<CallEvent, string>;
  readonly before: ReadonlyMap<CallEvent, ReadonlySet<string>>;
  readonly makers: Makers;
}

/** Calls that ended before this one began can have given it something. */
function takeEnded(
  makers: Makers,
  returned: CallEvent[],
  { call, ids }: { call: CallEvent; ids: Known["ids"] },
): Makers {
  while (returned[0] !== undefined && returned[0].endMs <= call.startMs && returned[0] !== call) {
    const ended = returned.shift() as CallEvent;
    const task = ids.get(ended) ?? "";
    for (const [value, path] of listPlaces(ended.result)) makers.set(value, { task, path });
  }
  return makers;
}

function buildTask(call: CallEvent, { ids, before, makers }: Known): DagTask {
  const sources = new Set(before.get(call));
  const given = typeof call.args === "object" && call.args !== null ? Object.entries(call.args) : [];
  const replace = (value: unknown): unknown => replaceReturned(value, { makers, sources });
  return {
    id: ids.get(call) ?? "",
    tool: call.name,
    type: kindOfNode(call.name) === "capability" ? "capability" : "mcp_tool",
    arguments: Object.fromEntries(given.map(([name, value]) => [name, replace(value)])),
    dependsOn: [...sources].sort((a, b) => Number(a.slice(1)) - Number(b.slice(1))),
    sideEffects: true,
    metadata: {},
  };
}

interface Returned {
  readonly makers: Makers;
  readonly sources: Set<string>;
}

function replaceReturned(value: unknown, known: Returned, depth = 0): unknown {
  if (isTelling(value)) {
    const maker = known.makers.get(`${typeof value} ${value}`);
    if (maker === undefined) return value;
    known.sources.add(maker.task);
    return maker.path.length === 0 ? { $from: maker.task } : { $from: maker.task, path: maker.path };
  }
  if (typeof value !== "object" || value === null || depth > DEEPEST) return value;
  if (Array.isArray(value)) return value.map((item) => replaceReturned(item, known, depth + 1));
  // What already looks like a reference is data of the run, and must not become one.
  if (["$from", "$param", "$literal"].some((key) => Object.hasOwn(value, key))) return { $literal: value };
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, replaceReturned(inner, known, depth + 1)]),
  );
}

/** Each telling value in a result, and where it stands; the shallowest place counts. */
function listPlaces(result: unknown): [string, Path][] {
  const places: [string, Path][] = [];
  const waiting: { value: unknown; path: Path }[] = [{ value: result, path: [] }];
  for (let at = 0; at < waiting.length && at < MOST_VALUES; at++) {
    const { value, path } = waiting[at] ?? { value: undefined, path: [] };
    if (isTelling(value)) places.push([`${typeof value} ${value}`, path]);
    if (typeof value !== "object" || value === null || path.length > DEEPEST) continue;
    for (const [key, inner] of Object.entries(value))
      waiting.push({ value: inner, path: [...path, Array.isArray(value) ? Number(key) : key] });
  }
  return places.reverse();
}
