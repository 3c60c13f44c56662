import { graphlib, layout } from "@dagrejs/dagre";

import type { LearningView } from "../../memory-view.js";
import type { StepEdge, StepView, StructureView } from "../../structure.js";
import { countSteps, type StepCounts } from "./count-steps.js";
import type { Drawing, LoopBox, Point, StepBox, StepLine } from "./drawing.js";
import { findLoops } from "./find-loops.js";
import { listEnds } from "./list-ends.js";
import type { Measure } from "./measure.js";
import { sizeStep } from "./size-step.js";

/** The layout keeps nodes in plain objects, where a step named `__proto__` would be lost. */
const stepKey = (id: string): string => `step ${id}`;
const loopKey = (id: string): string => `loop ${id}`;
const [THIN, THICK] = [1.5, 9];
const LABEL_HEIGHT = 18;

/** Layers from top to bottom (Gansner et al. 1993, by dagre); lines as thick as they were taken. */
export function drawStructure(structure: StructureView, learning: LearningView, measure: Measure): Drawing {
  const ends = listEnds(structure);
  const nodes = [...structure.nodes, ...ends.steps];
  const edges = [...structure.edges, ...ends.edges].filter(({ type }) => type !== "provides");
  const counts = countSteps({ nodes: structure.nodes, edges }, learning);
  const loops = findLoops(structure);
  const graph = new graphlib.Graph({ compound: true, multigraph: true });
  graph.setGraph({ rankdir: "TB", nodesep: 26, ranksep: 34, edgesep: 16, marginx: 8, marginy: 8 });
  for (const step of nodes) graph.setNode(stepKey(step.id), sizeStep(step, measure));
  for (const id of loops.ids) graph.setNode(loopKey(id), {});
  for (const [id, loop] of loops.parents) graph.setParent(stepKey(id), loopKey(loop));
  for (const [id, loop] of loops.outer) graph.setParent(loopKey(id), loopKey(loop));
  for (const { from, id } of ends.steps) {
    const loop = loops.within(from);
    if (loop !== undefined) graph.setParent(stepKey(id), loopKey(loop));
  }
  const drawn = edges.filter(({ type, to }) => type !== "contains" || loops.isEntry(to));
  for (const [at, edge] of drawn.entries())
    graph.setEdge(
      stepKey(edge.from),
      stepKey(edge.to),
      { width: measureLabel(edge, measure), height: LABEL_HEIGHT, labelpos: "c" },
      `${at}`,
    );
  layout(graph);
  return collect(graph as Laid, { nodes, drawn, counts, flows: structure.edges, loops: loops.ids });
}

interface Laid {
  graph(): { width?: number; height?: number };
  node(id: string): StepBox;
  edge(from: string, to: string, name: string): { points?: Point[]; x?: number; y?: number };
}

interface Parts {
  nodes: readonly (StepView | EndStep)[];
  drawn: readonly StepEdge[];
  counts: StepCounts;
  flows: readonly StepEdge[];
  loops: readonly string[];
}

type EndStep = ReturnType<typeof listEnds>["steps"][number];

function collect(graph: Laid, { nodes, drawn, counts, flows, loops }: Parts): Drawing {
  const boxes = nodes.map((step): StepBox => ({
    ...describe(step),
    ...place(graph.node(stepKey(step.id))),
    count: counts.ofStep(step.id),
  }));
  const byId = new Map(boxes.map((box) => [box.id, box]));
  const most = Math.max(1, ...drawn.map((edge) => counts.ofEdge(edge)));
  const { width = 0, height = 0 } = graph.graph();
  return {
    width: Math.ceil(width),
    height: Math.ceil(height),
    loops: loops.map((id): LoopBox => place(graph.node(loopKey(id)))),
    boxes,
    lines: drawn.map((edge, at) =>
      drawLine(edge, graph.edge(stepKey(edge.from), stepKey(edge.to), `${at}`), { counts, most }),
    ),
    flows: flows.flatMap(({ from, to, type }) => {
      const [start, end] = [byId.get(from), byId.get(to)];
      return type !== "provides" || start === undefined || end === undefined
        ? []
        : [{ from, to, start: sideOf(start), end: sideOf(end) }];
    }),
  };
}

function drawLine(
  edge: StepEdge,
  { points = [], x = 0, y = 0 }: ReturnType<Laid["edge"]>,
  { counts, most }: { counts: StepCounts; most: number },
): StepLine {
  const count = counts.ofEdge(edge);
  return {
    points: points.map(({ x, y }) => ({ x, y })),
    width: counts.runs === 0 ? THIN : count === 0 ? 1 : THIN + (THICK - THIN) * Math.sqrt(count / most),
    count,
    isTaken: counts.runs === 0 || count > 0,
    ...(edge.outcome !== undefined && { label: { text: edge.outcome, x, y } }),
  };
}

/** Room for the outcome and how often it was taken. */
function measureLabel({ outcome }: StepEdge, measure: Measure): number {
  return outcome === undefined ? 0 : measure(`${outcome} ×1000`) + 12;
}

function describe(step: StepView | EndStep): Omit<StepBox, "x" | "y" | "width" | "height" | "count"> {
  const { id, type, title } = step;
  const { detail, pure, line } = step as Partial<StepView>;
  return {
    id,
    type,
    title,
    ...(detail !== undefined && { detail }),
    ...(pure !== undefined && { pure }),
    ...(line !== undefined && { line }),
  };
}

function place({ x, y, width, height }: StepBox): { x: number; y: number; width: number; height: number } {
  return { x, y, width, height };
}

function sideOf({ x, y, width }: StepBox): Point {
  return { x: x + width / 2, y };
}
