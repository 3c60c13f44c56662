import { GraphError } from "../error.js";

/** One call that was made in a run. */
export interface CallEvent {
  readonly id: string;
  /** The capability call it was made in; those of the run itself have none. */
  readonly parentId?: string;
  /** `server:name`, `capability:{uuid}` or `code:map`. */
  readonly name: string;
  /** The node of the static structure. */
  readonly nodeId?: string;
  readonly iteration?: readonly number[];
  readonly startMs: number;
  readonly endMs: number;
  /** How long it took, where that is not the time in between: of one that was begun before it was asked for. */
  readonly durationMs?: number;
  readonly args?: unknown;
  readonly result?: unknown;
  readonly success: boolean;
}

/** A run as the graph learns from it. */
export interface RunRecord {
  readonly trace: string;
  /** The capability that ran, as `capability:{uuid}`. */
  readonly capability?: string;
  readonly calls: readonly CallEvent[];
  /** Where the static structure says that data flows, by `nodeId`. */
  readonly flows?: readonly { readonly from: string; readonly to: string }[];
  /** Nothing flows but where `flows` says: values that are alike prove nothing. */
  readonly flowsAreAll?: boolean;
}

/** In one order whatever order they arrived in; throws when they are no calls. */
export function sortCalls(calls: readonly CallEvent[]): CallEvent[] {
  for (const { id, name, startMs, endMs } of calls) {
    if (
      typeof id !== "string" ||
      typeof name !== "string" ||
      name === "" ||
      !(startMs <= endMs) ||
      !Number.isFinite(endMs - startMs)
    ) {
      const message = `The call ${JSON.stringify(id)} has no id, no name, or no time from startMs to endMs.`;
      throw new GraphError("GRAPH_INVALID_RUN", message, { details: { id } });
    }
  }
  return [...calls].sort((a, b) => a.startMs - b.startMs || a.endMs - b.endMs || (a.id < b.id ? -1 : 1));
}
