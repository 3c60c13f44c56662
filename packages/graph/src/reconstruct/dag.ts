/** A DAG as the rest of the system reads it: structurally the analyzer's. */
export interface Dag {
  readonly tasks: readonly DagTask[];
}

export interface DagTask {
  readonly id: string;
  readonly tool: string;
  readonly type: "mcp_tool" | "capability";
  /** JSON, in which `{ $from: task, path? }` stands for a result and `{ $param: name }` for an input. */
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly dependsOn: readonly string[];
  readonly sideEffects: boolean;
  readonly metadata: Readonly<Record<string, unknown>>;
}
