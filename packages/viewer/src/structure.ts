/** What of a static structure is drawn. */
export interface StructureView {
  nodes: StepView[];
  edges: StepEdge[];
}

export type StepType = "task" | "capability" | "decision" | "fork" | "join" | "loop";

export interface StepView {
  id: string;
  type: StepType;
  /** The tool, the capability, the condition. */
  title: string;
  /** What it is given, or what kind of decision or loop it is. */
  detail?: string;
  line?: number;
  /** A pure operation. */
  pure?: true;
  /** Ways out of a decision, in the order of the code. */
  outcomes?: string[];
}

export interface StepEdge {
  from: string;
  to: string;
  type: "sequence" | "conditional" | "provides" | "contains";
  outcome?: string;
}
