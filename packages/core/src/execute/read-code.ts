import type { Analysis } from "@pml/analyzer";

import type { LessonInput } from "../learn/lesson.js";
import type { LoggedCall, RunLog } from "../learn/run-log.js";
import { codeOf } from "./analyses.js";
import type { Closure } from "./closure.js";
import type { Job, Powers } from "./job.js";
import { listReads } from "./mock-reads.js";

/** What the code of a run, and of the capabilities it called, says of what went where and of what was read. */
export function describeCode(
  { analyses }: Pick<Powers, "analyses">,
  job: Pick<Job, "analysis" | "dag">,
  { calls, callees }: { calls: readonly LoggedCall[]; callees: Closure["callees"] },
): Pick<LessonInput, "flows" | "flowsAreAll" | "findReads"> {
  const inner = new Map(callees.map(({ name, capability }) => [name, analyses().analyse(codeOf(capability))]));
  const units = [job.analysis, ...inner.values()];
  const reads = new Map(units.map((unit) => [unit, listReads(unit, () => undefined)]));
  const byId = new Map(calls.map((call) => [call.id, call]));
  return {
    flows: listFlows(job),
    flowsAreAll: units.every(({ blindSpots }) => blindSpots.length === 0),
    findReads({ parentId, nodeId = "" }) {
      const unit = parentId === undefined ? job.analysis : inner.get(byId.get(parentId)?.name ?? "");
      return unit && reads.get(unit)?.get(nodeId);
    },
  };
}

/** What is given as a DAG runs under the ids of its tasks. */
function listFlows({ analysis, dag }: Pick<Job, "analysis" | "dag">): Analysis["dataFlow"] | LessonInput["flows"] {
  if (dag === undefined || Object.keys(dag.nodes).length > 0) return analysis.dataFlow;
  return dag.structure.tasks.flatMap(({ id, arguments: given, forEach }) => {
    const from = new Set<string>();
    JSON.stringify([given, forEach], (key, value: unknown) => {
      if (key === "$from" && typeof value === "string") from.add(value);
      return value;
    });
    return [...from].map((each) => ({ from: each, to: id }));
  });
}

/** A name that code proposes for itself stands in it, or is one of its inputs: one that a tool gave is none. */
export function findHint({ analysis, inputs }: Pick<Job, "analysis" | "inputs">, { hint }: RunLog): string | undefined {
  const name = hint?.name ?? "";
  const isSaid = analysis.source.includes(name) || Object.values(inputs).includes(name);
  return name !== "" && isSaid ? name : undefined;
}
