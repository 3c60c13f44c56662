import type { StepEdge, StructureView } from "../../structure.js";

export interface EndStep {
  id: string;
  type: "end";
  title: string;
  /** The decision it is a way out of. */
  from: string;
}

/** Ways out of a decision after which nothing follows: the code returns there, or its loop turns. */
export function listEnds({ nodes, edges }: StructureView): { steps: EndStep[]; edges: StepEdge[] } {
  const steps: EndStep[] = [];
  const ways: StepEdge[] = [];
  for (const { id, outcomes = [] } of nodes) {
    const followed = edges
      .filter(({ from, type }) => from === id && type === "conditional")
      .map(({ outcome }) => outcome);
    // What comes after both ways has no outcome on its edge.
    const goesOn = edges.some(({ from, type }) => from === id && type === "sequence");
    for (const outcome of outcomes.filter((each) => !goesOn && !followed.includes(each))) {
      const end = `end ${JSON.stringify([id, outcome])}`;
      steps.push({ id: end, type: "end", title: "", from: id });
      ways.push({ from: id, to: end, type: "conditional", outcome });
    }
  }
  return { steps, edges: ways };
}
