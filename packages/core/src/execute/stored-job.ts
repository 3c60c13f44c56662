import type { DAGStructure } from "@pml/analyzer";

import type { Redact } from "../model/redact.js";
import type { ExecuteMode } from "./answer.js";
import type { Job } from "./job.js";

/** A job as a workflow keeps it, to be taken up by whoever opens the memory next. */
export interface StoredJob {
  mode: ExecuteMode;
  intent?: string;
  name?: string;
  capabilityId?: string;
  /** Of a direct job. */
  code?: string;
  dag?: DAGStructure;
  inputs: Record<string, unknown>;
  /** The inputs held secrets, which were not kept: whoever goes on with it has to give them again. */
  inputsWithheld?: true;
  approved: string[];
  layersSeen: number;
  randomSeed: string;
  options: { learn?: boolean; perLayerValidation?: boolean };
}

export function describeJob(job: Job, redact: Redact): StoredJob {
  const { mode, intent, capability, analysis, dag, options } = job;
  const inputs = redact(job.inputs);
  const isDirect = mode === "direct";
  return {
    mode,
    ...(intent !== undefined && { intent: redact(intent) }),
    ...(job.name !== undefined && { name: job.name }),
    ...(capability !== undefined && { capabilityId: capability.id }),
    ...(isDirect && dag === undefined && { code: redact(analysis.source) }),
    ...(isDirect && dag !== undefined && { dag: dag.structure }),
    inputs,
    ...(inputs !== job.inputs && { inputsWithheld: true as const }),
    approved: [...job.approved],
    layersSeen: job.layersSeen,
    randomSeed: job.randomSeed,
    options: {
      ...(options.learn !== undefined && { learn: options.learn }),
      ...(options.perLayerValidation !== undefined && { perLayerValidation: options.perLayerValidation }),
    },
  };
}
