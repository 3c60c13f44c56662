import { AnalyzerError, type DAGStructure, dagToCode, structureToDag } from "@pml/analyzer";

import type { Capability, CapabilitySource, NewCapability } from "../model/capability.js";
import { invalidInput, PmlError } from "../model/error.js";
import { checkSignature } from "../model/signature.js";
import { isReadOnly } from "../model/tool.js";
import type { TraceResolution, TraceWork } from "../model/trace.js";
import { putCapability } from "../store/capabilities.js";
import { codeOf, defaultsOf } from "./analyses.js";
import type { ExecuteMode } from "./answer.js";
import { type Closure, closeOver } from "./closure.js";
import { addCoverage } from "./coverage.js";
import { hasParallelReads, listLayers } from "./dag-layers.js";
import { fixAsThen } from "./fix-as-then.js";
import type { Job, Place, Powers } from "./job.js";
import type { FixedCalls } from "./naming.js";
import type { CheckedRequest, ExecuteOptions } from "./request.js";
import { hasSecret, redactRun } from "./run-redaction.js";
import { createValidator } from "./tool-box.js";

/** What is the same for every way a job comes about. */
export interface JobBase extends Place {
  mode: ExecuteMode;
  workflowId: string;
  intent: string | undefined;
  options: ExecuteOptions;
  approved: ReadonlySet<string>;
  layersSeen: number;
  randomSeed: string;
  resumed: boolean;
  match?: number;
  /** What the caller gave, before parameters were filled from it. */
  given?: Readonly<Record<string, unknown>>;
  /** Of a run that is taken up again: what the names in it stood for when it began. */
  resolutions?: readonly TraceResolution[];
}

type DirectWork = Extract<CheckedRequest, { mode: "direct" }>;

/** Code or a DAG somebody wrote: understood, and stored as a draft. */
export async function prepareDirect(
  powers: Powers,
  base: JobBase,
  { work, inputs, name, description }: Pick<DirectWork, "work" | "inputs" | "name" | "description">,
): Promise<Job> {
  const code = "code" in work ? work.code : writeDag(work.dag);
  const analysis = powers.analyses().analyse(code);
  const closure = await closeJob(powers, base, analysis);
  if (name !== undefined) await powers.naming.check(base.context, name, analysis.hash);
  const redacting = redactRun(powers, { inputs, analysis });
  const secret = hasSecret(redacting, { analysis });
  const dag = "dag" in work ? { structure: work.dag, nodes: {} } : planPauses(base, analysis);
  const learns = base.options.learn !== false && !secret;
  const draft = describeDraft(powers, analysis, {
    source: describeSource(work),
    intent: redacting.redact(base.intent) ?? "",
    ...(description !== undefined && { description: redacting.redact(description) }),
  });
  const capability = learns ? await putDraft(powers, base, draft) : undefined;
  return {
    ...base,
    analysis,
    closure,
    inputs,
    capability,
    ...(capability !== undefined && { work: describeGiven(draft, capability) }),
    ...(name !== undefined && { name }),
    ...(dag !== undefined && { dag }),
    warnings: [...(secret ? [SECRET] : []), ...warnOfPauses(base, dag)],
  };
}

/** A capability that is there, with arguments over its defaults. As a DAG where that does things at the same time. */
export async function prepareCapability(
  powers: Powers,
  base: JobBase,
  { capability, inputs }: { capability: Capability; inputs: Record<string, unknown> },
): Promise<Job> {
  // By whatever way it was found: by name, by intent, in the place of another, or to be taken up again.
  checkSignature(capability);
  const gone = capability.toolsUsed.filter((id) => powers.box.find(id) === undefined);
  if (gone.length > 0) throw degraded(capability, `its tool ${gone.join(", ")} is not there any more`, { tools: gone });
  const given = { ...defaultsOf(capability), ...inputs };
  const problem = validate(capability.parameters ?? {}, given, `The input of ${capability.name ?? "the capability"}`);
  if (problem !== undefined) throw problem;
  const analysis = powers.analyses().analyse(codeOf(capability));
  const closure = await closeJob(powers, base, analysis).catch((error: unknown) => {
    throw isToolGone(error) ? degraded(capability, "it calls one whose tool is gone", error.details) : error;
  });
  const dag = planDag(powers, capability, analysis) ?? planPauses(base, analysis);
  const warnings = warnOfPauses(base, dag);
  return { ...base, analysis, closure, inputs: given, capability, ...(dag !== undefined && { dag }), warnings };
}

function isToolGone(error: unknown): error is PmlError {
  return error instanceof PmlError && error.code === "PML_TOOL_NOT_FOUND";
}

const SECRET =
  "The code holds what looks like a secret, so it was run and not remembered. Pass secrets in the context.";
const NO_PAUSES = "This is no DAG, so it was not paused between layers.";

/** Code has layers to pause between where it can be said as a DAG. */
function planPauses({ options }: JobBase, analysis: Job["analysis"]): Job["dag"] {
  const conversion = options.perLayerValidation === true ? structureToDag(analysis) : undefined;
  return conversion?.ok === true ? { structure: conversion.dag, nodes: conversion.nodes } : undefined;
}

function warnOfPauses({ options }: JobBase, dag: Job["dag"]): string[] {
  return options.perLayerValidation === true && dag === undefined ? [NO_PAUSES] : [];
}

/** Before anything is stored: what calls something that is not there is refused. */
export function closeJob(
  powers: Powers,
  { context, resolutions }: Pick<JobBase, "context" | "resolutions">,
  analysis: Job["analysis"],
): Promise<Closure> {
  const { naming } = powers;
  const fix = (called: readonly string[]): Promise<FixedCalls> =>
    resolutions === undefined ? naming.fix(context, called) : fixAsThen(naming, context, { resolutions, called });
  return closeOver(analysis, { analyses: powers.analyses(), box: powers.box, fix });
}

const validate = createValidator();

function planDag({ box }: Powers, { source }: Capability, analysis: Job["analysis"]): Job["dag"] {
  if (source.type === "dag") return { structure: source.dagStructure as DAGStructure, nodes: {} };
  const conversion = structureToDag(analysis);
  if (!conversion.ok) return undefined;
  const isRead = (id: string): boolean => isReadOnly(box.find(id) ?? {});
  if (!hasParallelReads(listLayers(conversion.dag), isRead)) return undefined;
  return { structure: conversion.dag, nodes: conversion.nodes };
}

async function putDraft(powers: Powers, { context }: JobBase, draft: NewCapability): Promise<Capability> {
  const { capability, created } = await putCapability(context, draft, "learned");
  if (created) powers.metrics.count("drafts");
  return capability;
}

/** What is stored of code or a DAG that somebody wrote. */
export function describeDraft(
  { box }: Pick<Powers, "box">,
  analysis: Job["analysis"],
  given: Pick<NewCapability, "source" | "intent" | "description">,
): NewCapability {
  const { hash, shape, parameterised, parameters, permissions } = analysis;
  return {
    ...given,
    ...(given.source.type === "code" && { hash, shape, parameterisedCode: parameterised.code }),
    structure: addCoverage(analysis, (id) => box.find(id)),
    parameters,
    permissions,
    toolsUsed: permissions.tools,
  };
}

function describeSource(work: DirectWork["work"]): CapabilitySource {
  return "code" in work ? { type: "code", code: work.code } : { type: "dag", dagStructure: work.dag };
}

/** A DAG joins no other, so its hash is that of what it became. */
function describeGiven({ hash, source, description }: NewCapability, capability: Capability): TraceWork {
  return { hash: hash ?? capability.hash, source, ...(description !== undefined && { description }) };
}

export function writeDag(dag: DAGStructure): string {
  try {
    return dagToCode(dag);
  } catch (error) {
    if (error instanceof AnalyzerError) throw error;
    throw invalidInput(`This is no DAG: ${(error as Error).message}`);
  }
}

export function degraded(capability: Capability, why: string, details: Record<string, unknown> = {}): PmlError {
  const message = `The capability "${capability.name ?? capability.intent}" is not run, as ${why}.`;
  return new PmlError("PML_CAPABILITY_DEGRADED", message, { details: { capabilityId: capability.id, ...details } });
}
