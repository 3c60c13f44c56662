import type { Analysis, DAGStructure } from "@pml/analyzer";

import { listDefaults, planDag } from "../../learn/sources/plan-dag.js";
import { type Plan, planStructure } from "../../learn/sources/plan.js";
import type { RanCode } from "../../learn/sources/source-facts.js";
import { codeOf } from "../analyses.js";
import type { Callee } from "../closure.js";
import type { Job, Powers } from "../job.js";

/** Code that runs, as far as it matters for what it will call next. */
export interface CodeAhead extends RanCode {
  /** It may refuse to go on in ways that its structure does not show. */
  readonly throws: boolean;
}

/** The code of a job as it is remembered: literals lifted, so that places and inputs are those of the next run. */
export function describeJobCode({ analyses }: Pick<Powers, "analyses">, job: Job): CodeAhead {
  const { analysis, inputs } = job;
  const code = { capabilityId: job.capability?.id ?? "", throws: THROWS.test(analysis.source) };
  const dag = findOwnDag(job);
  if (dag !== undefined) return { ...code, plan: planOf(dag), inputs: { ...listDefaults(dag), ...inputs } };
  const plan = planOf(analysis);
  if (job.mode !== "direct") return { ...code, plan, inputs };
  const { parameterised } = analysis;
  const lifted = planOf(analyses().analyse(parameterised.code));
  if (!isAlike(lifted, plan)) return { ...code, plan, inputs };
  // What is written out is not read from the inputs, whatever they hold.
  return { ...code, plan: lifted, inputs: { ...inputs, ...parameterised.defaults } };
}

/** The code of a capability that a run called, with what it was called with. */
export function describeCalleeCode({ analyses }: Pick<Powers, "analyses">, callee: Callee, args: unknown): CodeAhead {
  const { capability, defaults } = callee;
  const given = typeof args === "object" && args !== null ? args : {};
  const analysis = analyses().analyse(codeOf(capability));
  const inputs = { ...defaults, ...given };
  return { capabilityId: capability.id, plan: planOf(analysis), inputs, throws: THROWS.test(analysis.source) };
}

/** Anywhere in its text: that it stands in a comment costs nothing but time. */
const THROWS = /\bthrow\b/;

/** What was given as a DAG; undefined for code that only runs as one, whose places are those of the code. */
function findOwnDag({ dag }: Job): DAGStructure | undefined {
  return dag !== undefined && Object.keys(dag.nodes).length === 0 ? dag.structure : undefined;
}

const PLANS = new WeakMap<Analysis | DAGStructure, Plan>();

function planOf(code: Analysis | DAGStructure): Plan {
  const known = PLANS.get(code);
  if (known !== undefined) return known;
  const plan = "tasks" in code ? planDag(code) : planStructure(code.structure);
  PLANS.set(code, plan);
  return plan;
}

/** Lifting moves no step; should it ever, the places of the one are not those of the other. */
function isAlike(a: Plan, b: Plan): boolean {
  return a.steps.size === b.steps.size && [...a.steps].every(([id, { tool }]) => b.steps.get(id)?.tool === tool);
}
