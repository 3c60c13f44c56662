import type { Analysis, Arguments, JsonSchema } from "@pml/analyzer";
import { typeOfValue } from "@pml/graph";

import { tellType } from "../learn/told-type.js";
import { invalidInput, PmlError } from "../model/error.js";
import { putCapability } from "../store/capabilities.js";
import type { StoreContext } from "../store/context.js";
import { addDependency } from "../store/dependencies.js";
import { listTools } from "../store/tools.js";
import { assign } from "./assign.js";
import { checkDisplayName } from "./display-name.js";
import { ensureFree } from "./free-name.js";
import { fromAnalysis } from "./new-capability.js";
import { type PipelineStep, writePipeline } from "./pipeline-code.js";
import type { NamesPowers } from "./powers.js";
import type { CapabilityRecord } from "./record.js";
import { resolveCalls } from "./resolve-calls.js";
import { type Resolution, resolve } from "./resolve.js";
import { listSamples } from "./verify.js";

export interface Merge {
  /** In the order they run, each with `cap:` or without, and with a version or without. */
  sources: readonly string[];
  name: string;
  /** Instead of code that is written from the parameters and outputs of the sources. */
  code?: string;
  intent?: string;
  tags?: readonly string[];
}

type MergeContext = StoreContext & Pick<NamesPowers, "analyse" | "dryRun">;

/** One capability out of several, one after the other. Nothing is stored unless the name is free, its code can be read and a dry run passes. */
export async function merge(context: MergeContext, merge: Merge): Promise<CapabilityRecord> {
  checkDisplayName(merge.name);
  if (merge.sources.length < 2) throw invalidInput("A pipeline is made of two capabilities or more.");
  await ensureFree(context.database, context, { name: merge.name });
  const sources = await Promise.all(merge.sources.map((source) => resolve(context, source)));
  const code = merge.code ?? (await generate(context, merge.sources, sources));
  const analysis = context.analyse(code);
  await checkByDryRun(context, analysis);
  const intent = merge.intent ?? sources.map(({ capability }) => capability.intent).join(", then ");
  const { capability } = await putCapability(context, { ...fromAnalysis(analysis), intent }, "version");
  const record = await assign(context, {
    capabilityId: capability.id,
    name: merge.name,
    changeSummary: `Merged from ${merge.sources.join(", ")}`,
    ...(merge.tags !== undefined && { tags: merge.tags }),
  });
  for (const id of new Set(sources.map((source) => source.capability.id)))
    if (id !== capability.id)
      await addDependency(context, { fromCapabilityId: capability.id, toCapabilityId: id, edgeType: "contains" });
  return record;
}

async function checkByDryRun(context: MergeContext, analysis: Analysis): Promise<void> {
  const calls = await resolveCalls(context, analysis.permissions.capabilities);
  const verdict = await context.dryRun(analysis, calls, context);
  if (verdict.ok) return;
  throw new PmlError("PML_DRY_RUN_FAILED", `The pipeline does not run: ${verdict.reason} Nothing was stored.`, {
    details: { reason: verdict.reason, code: analysis.source },
  });
}

async function generate(
  context: MergeContext,
  called: readonly string[],
  sources: readonly Resolution[],
): Promise<string> {
  const steps = sources.map(async (source, index): Promise<PipelineStep> => ({
    call: (called[index] as string).replace(/^cap:/, ""),
    name: source.name,
    parameters: source.capability.parameters as JsonSchema | undefined,
    output: await describeOutput(context, source),
  }));
  return writePipeline(await Promise.all(steps));
}

/**
 * By what its code returns, or what the tool says whose result that is; failing that, by what all its last runs returned.
 * A field that one run alone had may be there for somebody to be sent where it says.
 */
async function describeOutput(context: MergeContext, { capability }: Resolution): Promise<JsonSchema | undefined> {
  if (capability.source.type === "code") {
    const declared = await describeReturn(context, capability.source.code);
    if (declared !== undefined) return declared;
  }
  const samples = await listSamples(context, capability.id);
  if (samples.length === 0) return undefined;
  return tellType(
    samples.map(({ result }) => [typeOfValue(result), 1]),
    { byStrangers: false },
  ) as JsonSchema;
}

async function describeReturn(context: MergeContext, code: string): Promise<JsonSchema | undefined> {
  const { returns, structure } = context.analyse(code);
  const value = returns.length === 1 ? returns[0]?.value : undefined;
  if (value?.type === "expression" && value.fields !== undefined) return describeFields(value.fields);
  const node = value?.type === "reference" && value.path.length === 0 ? value.from : undefined;
  const task = structure.nodes.find(({ id }) => id === node);
  if (task?.type !== "task") return undefined;
  const tools = await listTools(context);
  return tools.find(({ id }) => id === task.tool)?.outputSchema as JsonSchema | undefined;
}

/** Its names are those of the code. Of what is in them, only whether it is more of these is known. */
function describeFields(fields: Arguments): JsonSchema {
  const described = Object.entries(fields).map(([name, value]) => [
    name,
    value.type === "expression" && value.fields !== undefined ? describeFields(value.fields) : {},
  ]);
  return {
    type: "object",
    properties: Object.fromEntries(described) as Record<string, JsonSchema>,
    required: Object.keys(fields),
  };
}
