export type NodeKind = "tool" | "capability" | "operation";

export const CAPABILITY_PREFIX = "capability:";
const OPERATION_PREFIX = "code:";

/** The id says what a node is: `capability:{uuid}`, `code:filter` for a pure operation, `server:name` for a tool. */
export function kindOfNode(id: string): NodeKind {
  if (id.startsWith(CAPABILITY_PREFIX)) return "capability";
  return id.startsWith(OPERATION_PREFIX) ? "operation" : "tool";
}

/** What is known of a node beside its edges. */
export interface NodeData {
  readonly id: string;
  readonly kind: NodeKind;
  readonly successes: number;
  readonly failures: number;
  readonly totalMs: number;
}
