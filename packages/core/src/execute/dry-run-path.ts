import type { RunEvent } from "@pml/sandbox";

import type { Way } from "./dry-run-explore.js";

/** The steps and decisions of one run, by place, through the capabilities it called. */
export interface Path {
  /** In the order in which they were reached, each as often as it was. */
  steps: string[];
  decisions: Way[];
}

/** Folds the events of a run into its path. */
export function createPath(traceId: string): { observe(event: RunEvent): void; read(): Path } {
  const within = new Map<string, string>([[traceId, ""]]);
  const steps: string[] = [];
  const decisions: Way[] = [];
  return {
    observe(event) {
      if (event.nodeId === undefined) return;
      if (event.type === "decision") {
        const place = (within.get(event.traceId) ?? "") + event.nodeId;
        steps.push(place);
        decisions.push({ place, outcome: event.outcome });
      }
      if (event.type !== "tool_start" && event.type !== "capability_start") return;
      const place = (within.get(event.parentTraceId ?? traceId) ?? "") + event.nodeId;
      steps.push(place);
      if (event.type === "capability_start") within.set(event.traceId, `${place}/`);
    },
    read: () => ({ steps, decisions }),
  };
}

export interface PathEdge {
  from: string;
  to: string;
  /** In how many runs. */
  runs: number;
}

/** All paths in one: what followed what. */
export function mergePaths(paths: readonly Pick<Path, "steps">[]): { nodes: string[]; edges: PathEdge[] } {
  const nodes = new Set<string>();
  const edges = new Map<string, PathEdge>();
  for (const { steps } of paths) {
    const here = new Set<string>();
    for (const [at, to] of steps.entries()) {
      nodes.add(to);
      const from = steps[at - 1];
      const key = `${from} ${to}`;
      if (from === undefined || here.has(key)) continue;
      here.add(key);
      edges.set(key, { from, to, runs: (edges.get(key)?.runs ?? 0) + 1 });
    }
  }
  return { nodes: [...nodes], edges: [...edges.values()] };
}
