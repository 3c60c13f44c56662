import { GraphError } from "../error.js";

/** How good it is to be at a node: the discounted reward that runs through it came to. */
export interface PathValues {
  /** 0.5, as for an even chance, of a node that no run has visited. */
  get(node: string): number;
  /** One run: its nodes in order, and its reward in [0, 1] at the end. */
  observe(path: readonly string[], reward: number): void;
  snapshot(): PathValueSnapshot;
}

export interface PathValueSnapshot {
  version: 1;
  values: readonly (readonly [node: string, value: number, visits: number])[];
}

export interface PathValueOptions {
  discount: number;
  /** λ: 0 learns from the next node's value alone, TD(0); 1 from the run's end alone, Monte Carlo. */
  traceDecay: number;
  /** The share of an error that is learned, once a node is well known. */
  minRate: number;
}

export const DEFAULT_PATH_VALUE_OPTIONS: PathValueOptions = { discount: 0.98, traceDecay: 0.8, minRate: 0.05 };

const UNKNOWN = 0.5;

/**
 * TD(λ) with replacing eligibility traces (Sutton, 1988; Singh & Sutton, 1996): replacing, so that a node which a run
 * visits in a loop is not credited once for every turn. A new node learns fast, as 1 / visits, a known one slowly.
 */
export function createPathValues(given: Partial<PathValueOptions> & { snapshot?: PathValueSnapshot } = {}): PathValues {
  const { discount, traceDecay, minRate } = { ...DEFAULT_PATH_VALUE_OPTIONS, ...given };
  if (![discount, traceDecay, minRate].every((value) => value >= 0 && value <= 1)) {
    throw fault("GRAPH_INVALID_OPTIONS", "Discount, traceDecay and minRate have to lie in [0, 1].");
  }
  const known = readValues(given.snapshot);
  const get = (node: string): number => known.get(node)?.value ?? UNKNOWN;
  return {
    get,
    observe(path, reward) {
      if (!(reward >= 0 && reward <= 1)) throw fault("GRAPH_INVALID_INPUT", "A reward has to lie in [0, 1].");
      const traces = new Map<string, number>();
      for (const node of new Set(path))
        known.set(node, { value: get(node), visits: (known.get(node)?.visits ?? 0) + 1 });
      for (const [at, node] of path.entries()) {
        const target = at === path.length - 1 ? reward : discount * get(path[at + 1]!);
        const error = target - get(node);
        for (const [earlier, trace] of traces) traces.set(earlier, trace * discount * traceDecay);
        traces.set(node, 1);
        for (const [visited, trace] of traces) {
          const entry = known.get(visited)!;
          const rate = Math.max(minRate, 1 / (entry.visits + 1));
          entry.value = Math.min(1, Math.max(0, entry.value + rate * trace * error));
        }
      }
    },
    snapshot: () => ({ version: 1, values: [...known].map(([node, { value, visits }]) => [node, value, visits]) }),
  };
}

function readValues(snapshot: PathValueSnapshot | undefined): Map<string, { value: number; visits: number }> {
  if (snapshot === undefined) return new Map();
  if (snapshot?.version !== 1 || !Array.isArray(snapshot.values)) {
    throw fault("GRAPH_INVALID_SNAPSHOT", "The snapshot of path values is not of version 1. Start without it.");
  }
  return new Map(
    snapshot.values.map(([node, value, visits]) => {
      if (!(value >= 0 && value <= 1 && visits >= 0)) {
        throw fault(
          "GRAPH_INVALID_SNAPSHOT",
          "The snapshot of path values has numbers out of range. Start without it.",
        );
      }
      return [node, { value, visits }];
    }),
  );
}

function fault(
  code: "GRAPH_INVALID_OPTIONS" | "GRAPH_INVALID_INPUT" | "GRAPH_INVALID_SNAPSHOT",
  message: string,
): GraphError {
  return new GraphError(code, message);
}
