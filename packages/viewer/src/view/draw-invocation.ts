import type { RowCall } from "../layout/arrange-calls.js";
import { layoutInRows } from "../layout/in-rows.js";
import type { Picture, PictureLink, PictureNode } from "../memory-view.js";
import type { Gathered } from "../read/gather.js";
import type { Communities } from "./communities.js";
import { LABEL } from "./draw-definition.js";
import { shorten } from "./shorten.js";
import { keyOfCapability, type Thing, type Things } from "./things.js";

type Call = Extract<Gathered["invocation"]["nodes"][number], { node: string }>;

interface DrawnCall {
  call: Call;
  thing: Thing;
}

const MOST_CALLS = 150;

/** One node for each call of the latest runs, each run in a row of its own. */
export function drawInvocation(gathered: Gathered, things: Things, communities: Communities): Picture {
  const drawn = listCalls(gathered, things);
  const at = new Map(drawn.map(({ call }, index) => [call.id, index]));
  const links = gathered.invocation.edges.flatMap(({ from, to, type }): PictureLink[] => {
    const [start, end] = [at.get(from), at.get(to)];
    return start === undefined || end === undefined ? [] : [{ from: start, to: end, type }];
  });
  const rows = groupByTrace(drawn).map(({ trace, calls }) => ({ caption: captionOf(trace, gathered, things), calls }));
  const { places, captions } = layoutInRows(rows, links);
  const nodes = drawn.map((each, index) => ({
    ...describe(each, communities),
    ...(places[index] ?? { x: 0, y: 0 }),
  }));
  return { nodes, links, captions };
}

/** A run of a capability that is not this memory's to see is not drawn, nor are its calls; of very long ones, the beginning. */
function listCalls({ invocation, ranBy }: Gathered, things: Things): DrawnCall[] {
  const counts = new Map<string, number>();
  return invocation.nodes.flatMap((node) => {
    if (!("node" in node)) return [];
    const count = 1 + (counts.get(node.trace ?? "") ?? 0);
    counts.set(node.trace ?? "", count);
    if (count > MOST_CALLS) return [];
    const ran = ranBy.get(node.trace ?? "")?.capabilityId;
    const isSeen = ran === undefined || things.find(keyOfCapability(ran)) !== undefined;
    const thing = things.find(node.node) ?? standIn(node.node);
    return isSeen && thing !== undefined ? [{ call: node, thing }] : [];
  });
}

/** A tool that is gone was called all the same; of a capability there is nothing to say. */
function standIn(node: string): Thing | undefined {
  if (node.startsWith(keyOfCapability(""))) return undefined;
  return { key: node, kind: node.startsWith("code:") ? "operation" : "tool", label: node, uses: 0 };
}

function groupByTrace(drawn: readonly DrawnCall[]): { trace: string; calls: RowCall[] }[] {
  const rows = new Map<string, RowCall[]>();
  for (const [index, { call }] of drawn.entries()) {
    const { startMs, endMs } = call;
    const row = rows.get(call.trace ?? "") ?? [];
    row.push({ index, startMs, endMs });
    rows.set(call.trace ?? "", row);
  }
  return [...rows]
    .map(([trace, calls]) => ({ trace, calls }))
    .sort((a, b) => (b.calls[0]?.startMs ?? 0) - (a.calls[0]?.startMs ?? 0));
}

function captionOf(trace: string, { ranBy }: Gathered, things: Things): string {
  const { intent, capabilityId } = ranBy.get(trace) ?? {};
  const thing = capabilityId === undefined ? undefined : things.find(keyOfCapability(capabilityId));
  return shorten(intent ?? thing?.label ?? "A run", LABEL);
}

function describe({ call, thing }: DrawnCall, communities: Communities): Omit<PictureNode, "x" | "y"> {
  const community = communities.of.get(thing.key);
  const { startMs, endMs, success } = call;
  return {
    thing: thing.key,
    kind: thing.kind,
    label: shorten(thing.label, LABEL),
    weight: 0.5,
    ...(community !== undefined && { community }),
    call: { startMs, durationMs: endMs - startMs, success },
  };
}
