import type { DAGStructure } from "@pml/analyzer";

import { keepValue } from "../model/kept-value.js";
import type { TraceResolution } from "../model/trace.js";
import type { ExecuteMode } from "./answer.js";
import type { Job } from "./job.js";
import type { ExecuteOptions } from "./request.js";
import { hasSecret, type Redacting } from "./run-redaction.js";

/** A job as a workflow keeps it, to be taken up by whoever opens the memory next. */
export interface StoredJob {
  mode: ExecuteMode;
  intent?: string;
  name?: string;
  capabilityId?: string;
  /** Of a direct job. */
  code?: string;
  dag?: DAGStructure;
  /** The code, or the DAG, held a secret and was not kept: only the process that has it can go on. */
  workWithheld?: true;
  inputs: Record<string, unknown>;
  /** The inputs held secrets, which were not kept: whoever goes on with it has to give them again. */
  inputsWithheld?: true;
  approved: string[];
  layersSeen: number;
  randomSeed: string;
  match?: number;
  /** What the names in it stood for when it began. */
  resolutions: TraceResolution[];
  options: Pick<ExecuteOptions, (typeof KEPT_OPTIONS)[number]>;
}

/** What would let a run do more, or other things, if it were forgotten. */
const KEPT_OPTIONS = ["learn", "perLayerValidation", "permissions", "limits", "cache", "conversation"] as const;

const MOST_BYTES = 64_000_000;

export function describeJob(job: Job, redacting: Redacting): StoredJob {
  const { mode, intent, capability, options } = job;
  const { redact } = redacting;
  const inputs = redact(job.inputs);
  return {
    mode,
    ...(intent !== undefined && { intent: redact(intent) }),
    ...(job.name !== undefined && { name: job.name }),
    ...(capability !== undefined && { capabilityId: capability.id }),
    ...(mode === "direct" && (hasSecret(redacting, job) ? { workWithheld: true as const } : describeWork(job))),
    inputs: keepValue(inputs, MOST_BYTES) as Record<string, unknown>,
    ...(inputs !== job.inputs && { inputsWithheld: true as const }),
    approved: [...job.approved],
    layersSeen: job.layersSeen,
    randomSeed: job.randomSeed,
    ...(job.match !== undefined && { match: job.match }),
    resolutions: job.closure.resolutions,
    options: Object.fromEntries(
      KEPT_OPTIONS.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])),
    ),
  };
}

/** What a direct job runs, as it was given. */
export function describeWork({ dag, analysis }: Pick<Job, "dag" | "analysis">): Pick<StoredJob, "code" | "dag"> {
  return dag === undefined ? { code: analysis.source } : { dag: dag.structure };
}
