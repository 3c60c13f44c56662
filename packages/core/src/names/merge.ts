import type { Analysis, JsonSchema } from "@pml/analyzer";
import { mergeTypes, typeOfValue, typeToSchema } from "@pml/graph";

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

/** By what its runs returned; failing that, by what the tool says whose result it returns. */
async function describeOutput(context: MergeContext, { capability }: Resolution): Promise<JsonSchema | undefined> {
  const samples = await listSamples(context, capability.id);
  const types = samples.map(({ result }) => typeOfValue(result));
  if (types.length > 0) return typeToSchema(types.reduce(mergeTypes)) as JsonSchema;
  if (capability.source.type !== "code") return undefined;
  const { returns, structure } = context.analyse(capability.source.code);
  const value = returns.length === 1 ? returns[0]?.value : undefined;
  const node = value?.type === "reference" && value.path.length === 0 ? value.from : undefined;
  const task = structure.nodes.find(({ id }) => id === node);
  if (task?.type !== "task") return undefined;
  const tools = await listTools(context);
  return tools.find(({ id }) => id === task.tool)?.outputSchema as JsonSchema | undefined;
}
