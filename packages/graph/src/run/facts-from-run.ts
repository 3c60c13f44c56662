import type { EdgeType } from "../edge.js";
import type { Fact } from "../facts.js";
import { kindOfNode } from "../node.js";
import { typeOfValue } from "../types/learned-type.js";
import { type CallEvent, type RunRecord, sortCalls } from "./call-event.js";
import { groupBy } from "./group-by.js";
import { hasEnded, listSuccessions } from "./successions.js";
import { listTellingValues } from "./telling-values.js";

/** What one run teaches. The order in which its calls arrive does not matter; what ran in parallel gets no order. */
export function factsFromRun(run: RunRecord): Fact[] {
  const calls = sortCalls(run.calls);
  const pairs: [string, string, EdgeType][] = [
    ...listContained(run, calls),
    ...groupBy(calls, ({ parentId }) => JSON.stringify(parentId)).flatMap(listSequence),
    ...listDataFlow(run, calls),
  ];
  return [...callFacts(calls), pathFact(calls), ...edgeFacts(pairs)].map((fact) => ({ ...fact, trace: run.trace }));
}

function callFacts(calls: readonly CallEvent[]): Fact[] {
  return calls.flatMap(
    ({ id, name: node, parentId, startMs, endMs, durationMs = endMs - startMs, success, result }, position): Fact[] => {
      const parent = parentId === undefined ? {} : { parent: parentId };
      const typed: Fact[] =
        success && result !== undefined && kindOfNode(node) === "tool"
          ? [{ kind: "type", tool: node, type: typeOfValue(result) }]
          : [];
      return [
        { kind: "call", id, node, startMs, endMs, success, ...parent },
        { kind: "outcome", node, success, durationMs, position },
        ...typed,
      ];
    },
  );
}

/** The steps of the run itself; what a capability did inside is its own path. */
function pathFact(calls: readonly CallEvent[]): Fact {
  const steps = calls.filter(({ parentId, name }) => parentId === undefined && kindOfNode(name) !== "operation");
  return { kind: "path", nodes: steps.map(({ name }) => name) };
}

/** One run says a thing once, however often a loop repeated it. */
function edgeFacts(pairs: readonly [string, string, EdgeType][]): Fact[] {
  const unique = groupBy(pairs, (pair) => JSON.stringify(pair)).map(([pair]) => pair as [string, string, EdgeType]);
  return unique
    .filter(([from, to]) => from !== to)
    .map(([from, to, type]) => ({ kind: "edge", from, to, type, source: "observed" }));
}

function listContained({ capability }: RunRecord, calls: readonly CallEvent[]): [string, string, EdgeType][] {
  const names = new Map(calls.map(({ id, name }) => [id, name]));
  return calls.flatMap(({ parentId, name }): [string, string, EdgeType][] => {
    const parent = parentId === undefined ? capability : names.get(parentId);
    return parent === undefined ? [] : [[parent, name, "contains"]];
  });
}

function listSequence(siblings: readonly CallEvent[]): [string, string, EdgeType][] {
  return listSuccessions(siblings).map(([before, after]) => [before.name, after.name, "sequence"]);
}

/**
 * Where the code shows the flow, by the code; for calls that the code says nothing about, by shared values. Those may be
 * shared by design: who writes a result can guess what a later call is given.
 */
function listDataFlow(
  { flows = [], flowsAreAll = false }: RunRecord,
  calls: readonly CallEvent[],
): [string, string, EdgeType][] {
  const byNode = new Map(
    groupBy(calls, ({ nodeId }) => nodeId ?? "").map((group) => [group[0]?.nodeId ?? "", group[0]?.name]),
  );
  const shown = flows.flatMap(({ from, to }): [string, string, EdgeType][] => {
    const [source, target] = [byNode.get(from), byNode.get(to)];
    return source === undefined || target === undefined ? [] : [[source, target, "dependency"]];
  });
  if (flowsAreAll) return shown;
  const explained = new Set(flows.map(({ to }) => to));
  return [...shown, ...listValueFlow(calls, (call) => call.nodeId === undefined || !explained.has(call.nodeId))];
}

/** A value that one call returned and a later one was given came from there: from the latest that returned it. */
function listValueFlow(
  calls: readonly CallEvent[],
  isOpen: (call: CallEvent) => boolean,
): [string, string, EdgeType][] {
  const makers = new Map<string, CallEvent[]>();
  for (const call of calls) {
    for (const value of listTellingValues(call.result)) {
      const known = makers.get(value);
      if (known) known.push(call);
      else makers.set(value, [call]);
    }
  }
  return calls.filter(isOpen).flatMap((call) =>
    [...listTellingValues(call.args)].flatMap((value): [string, string, EdgeType][] => {
      const maker = makers.get(value)?.findLast((each) => hasEnded(each, call));
      return maker === undefined ? [] : [[maker.name, call.name, "dependency"]];
    }),
  );
}
