/** Everything that can be wrong with what the graph is given or asked. `docs/errors.md` explains each. */
export const GRAPH_ERROR_CODES = [
  "GRAPH_INVALID_FACT",
  "GRAPH_INVALID_INPUT",
  "GRAPH_INVALID_OPTIONS",
  "GRAPH_INVALID_RUN",
  "GRAPH_INVALID_SNAPSHOT",
  "GRAPH_NODE_NOT_FOUND",
  "GRAPH_EDGE_NOT_FOUND",
] as const;

export type GraphErrorCode = (typeof GRAPH_ERROR_CODES)[number];

export type GraphErrorDetails = Readonly<Record<string, unknown>>;

export class GraphError extends Error {
  override readonly name = "GraphError";
  readonly code: GraphErrorCode;
  readonly details: GraphErrorDetails;

  constructor(code: GraphErrorCode, message: string, more: { details?: GraphErrorDetails; cause?: unknown } = {}) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.code = code;
    this.details = more.details ?? {};
  }
}
