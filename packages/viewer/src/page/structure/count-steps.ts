import type { LearningView } from "../../memory-view.js";
import type { StepEdge, StructureView } from "../../structure.js";

export interface StepCounts {
  readonly runs: number;
  ofStep(id: string): number;
  ofEdge(edge: StepEdge): number;
  ofOutcome(id: string, outcome: string): number;
}

/** How often runs came through each step and along each edge, as far as runs say it: forks, joins and loops do not. */
export function countSteps({ nodes, edges }: StructureView, learning: LearningView): StepCounts {
  const visits = new Map(learning.visits);
  const outcomes = new Map(learning.decisions.map(({ nodeId, outcome, count }) => [key(nodeId, outcome), count]));
  const ofOutcome = (id: string, outcome: string): number => outcomes.get(key(id, outcome)) ?? 0;
  const reported = new Set(nodes.filter(({ type }) => !["fork", "join", "loop"].includes(type)).map(({ id }) => id));
  const steps = edges.filter(({ type }) => type !== "provides");

  const known = new Map<string, number>();
  /** What is not reported itself was reached as often as what follows it, or as what comes before. */
  const ofStep = (id: string): number => {
    if (reported.has(id)) return visits.get(id) ?? 0;
    const found = known.get(id);
    if (found !== undefined) return found;
    // In a circle, which code has not but a bundle may claim, it is this that is found.
    known.set(id, 0);
    const next = steps.filter(({ from }) => from === id).map(({ to }) => ofStep(to));
    const before = next.length > 0 ? [] : steps.filter(({ to }) => to === id).map(ofStart);
    const count = Math.max(0, ...next, ...before);
    known.set(id, count);
    return count;
  };
  const ofStart = ({ from, type, outcome }: StepEdge): number =>
    type === "conditional" && outcome !== undefined ? ofOutcome(from, outcome) : ofStep(from);
  const ofEdge = (edge: StepEdge): number =>
    edge.type === "contains"
      ? ofStep(edge.to)
      : Math.min(ofStart(edge), edge.outcome === undefined ? ofStep(edge.to) : Infinity);
  return { runs: learning.runs, ofStep, ofEdge, ofOutcome };
}

function key(nodeId: string, outcome: string): string {
  return JSON.stringify([nodeId, outcome]);
}
