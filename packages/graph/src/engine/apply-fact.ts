import type { Fact } from "../facts.js";
import type { PathCounts } from "../next/path-counts.js";
import type { ArgumentSources } from "../sources/argument-sources.js";
import type { LearnedTypes } from "../types/learned-types.js";
import { countEdge, keyOfNode, type MemoryGraph, mentionNode } from "./memory-graph.js";
import type { RecentCalls } from "./recent-calls.js";

export interface Memory {
  readonly graph: MemoryGraph;
  readonly paths: PathCounts;
  readonly types: LearnedTypes;
  readonly sources: ArgumentSources;
  readonly calls: RecentCalls;
}

/** Folds a fact in `times` times, or takes it back. Gives the nodes about which something derived may have changed. */
export function applyFact(memory: Memory, fact: Fact, times: number): readonly string[] {
  const { graph } = memory;
  switch (fact.kind) {
    case "node":
      return mentionNode(graph, fact.id, times) ? [fact.id] : [];
    case "edge": {
      const ends = [fact.from, fact.to];
      if (times > 0) for (const end of ends) mentionNode(graph, end, times);
      const changed = countEdge(graph, fact, times);
      if (times < 0) for (const end of ends) mentionNode(graph, end, times);
      return changed ? ends : [];
    }
    case "outcome":
      return applyOutcome(graph, fact, times);
    case "path":
      memory.paths.observe(fact.nodes, times);
      return [];
    case "type":
      memory.types.observe(fact.tool, fact.type, times);
      return [];
    case "call":
      if (times > 0) memory.calls.observe(fact);
      else memory.calls.retract(fact);
      return [];
    case "source":
      memory.sources.observe(fact.subject, fact.source, times);
      return [];
  }
}

function applyOutcome(graph: MemoryGraph, fact: Extract<Fact, { kind: "outcome" }>, times: number): readonly string[] {
  const { node, success, durationMs } = fact;
  const key = keyOfNode(node);
  const came = times > 0 && mentionNode(graph, node, times);
  if (graph.hasNode(key)) {
    const known = graph.getNodeAttributes(key);
    if (success) known.successes = Math.max(0, known.successes + times);
    else known.failures = Math.max(0, known.failures + times);
    // Whole milliseconds, so that taking back gives exactly what was there before.
    known.totalMs += times * Math.round(durationMs);
  }
  const went = times < 0 && mentionNode(graph, node, times);
  return came || went ? [node] : [];
}
