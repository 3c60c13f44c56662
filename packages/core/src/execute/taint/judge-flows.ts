import type { ErrorAnswer } from "../answer.js";
import type { Job, Powers } from "../job.js";
import { explainFlow } from "./describe-flow.js";
import { findFlows, type TaintFlow } from "./find-flows.js";

const MOST_SHOWN = 10;

/** The ways from untrusted tools to sensitive ones that a run may take; none where the host has marked none. */
export function listFlows({ box, analyses, taint }: Powers, { analysis, closure }: Job): TaintFlow[] {
  return findFlows(analysis, closure, { box, analyses: analyses(), taint });
}

/** What to ask for each pair of tools that data may go between. */
export function listQuestions(flows: readonly TaintFlow[]): { id: string; tool: string; reason: string }[] {
  const pairs = new Map<string, TaintFlow[]>();
  for (const flow of flows) {
    const id = `flow ${flow.source} → ${flow.sink}`;
    pairs.set(id, [...(pairs.get(id) ?? []), flow]);
  }
  return [...pairs].map(([id, [first, ...others]]) => {
    const { sink, ...flow } = first as TaintFlow;
    const more = others.length === 0 ? "" : `; and in ${others.length} more ways`;
    return { id, tool: sink, reason: explainFlow({ sink, ...flow }) + more };
  });
}

/** Nothing is run. */
export function taintedAnswer({ workflowId, mode, capability }: Job, flows: readonly TaintFlow[]): ErrorAnswer {
  const [first] = flows as [TaintFlow];
  const message = `This memory refuses what strangers could steer: ${explainFlow(first)}. Nothing was run.`;
  return {
    status: "error",
    workflowId,
    traceId: workflowId,
    mode,
    durationMs: 0,
    ...(capability !== undefined && { capabilityId: capability.id }),
    error: { code: "PML_TAINTED", message, details: { flows: flows.slice(0, MOST_SHOWN) } },
  };
}
