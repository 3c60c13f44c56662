import type { Analysis } from "@pml/analyzer";
import type { JsonSchema } from "@pml/graph";

import type { Capability } from "../../model/capability.js";
import { isReadOnly, needsApproval, type NewTool } from "../../model/tool.js";
import type { Trace } from "../../model/trace.js";
import { codeOf, defaultsOf } from "../analyses.js";
import { type Closure, listDenied } from "../closure.js";
import type { Place, Powers } from "../job.js";
import { closeJob } from "../prepare.js";
import { explainFlow } from "../taint/describe-flow.js";
import { findFlows } from "../taint/find-flows.js";
import { findSubstitutes, type Substitute } from "./find-substitutes.js";
import type { NewSide } from "./map-tool.js";
import type { OldTool } from "./old-tool.js";
import { type RepairEvidence, tryRepair } from "./try-repair.js";
import { writeRepair } from "./write-repair.js";

export interface RepairCandidate {
  /** What is called instead of each, field by field. */
  substitutes: Substitute[];
  code: string;
  evidence: RepairEvidence;
  /** In [0, 1]: how well the fields fit, and how many recorded runs went the same or alike. */
  confidence: number;
}

/** Something that fits by its schemas and is not proposed. */
export interface RefusedSubstitute {
  by: string[];
  reason: string;
}

/** A capability that cannot call what it did. */
export interface Broken {
  place: Place;
  capability: Capability;
  old: readonly OldTool[];
  /** Runs of it that went well. */
  traces: readonly Trace[];
  mayCall: boolean;
}

interface Proposals {
  candidates: RepairCandidate[];
  refused: RefusedSubstitute[];
}

/** The likeliest are looked at, and a few offered: nobody reads more. */
const MOST_TOOLS = 30;
const MOST_CANDIDATES = 5;

/** Adds what could be called instead, the surest first, and what will not do. */
export async function propose(powers: Powers, broken: Broken, result: Proposals): Promise<void> {
  for (const substitutes of await choose(powers, broken)) await judge(powers, { ...broken, substitutes }, result);
  result.candidates.sort((a, b) => b.confidence - a.confidence);
  result.candidates.splice(MOST_CANDIDATES);
}

/** For each tool that is broken, what could stand in for it: all combinations, as far as anybody would read them. */
async function choose({ box }: Powers, { place: { context, workspace }, old }: Broken): Promise<Substitute[][]> {
  const catalog = await workspace.catalog();
  const { graph } = workspace.knowledge;
  let chosen: Substitute[][] = [[]];
  for (const tool of old) {
    const text = `${tool.id.replace(/[:_-]/g, " ")} ${tool.tool.description}`.slice(0, 1000);
    const [vector] = await context.vectors.embed([text]);
    const near = catalog
      .rank({ text, vector: vector as Float32Array }, MOST_TOOLS)
      .flatMap(({ tool: each }) => box.find(each.id) ?? []);
    const sides = near.map(({ id, inputSchema, outputSchema }): NewSide => ({
      id,
      inputSchema,
      outputSchema: (outputSchema as JsonSchema | undefined) ?? workspace.findLearnedOutput(id),
    }));
    const found = findSubstitutes(tool, sides, (a, b) => graph.findEdgeData(a, b, "provides") !== undefined);
    chosen = chosen.flatMap((before) => found.slice(0, MOST_CANDIDATES).map((each) => [...before, each]));
  }
  return chosen.slice(0, 2 * MOST_CANDIDATES);
}

interface Choice extends Broken {
  substitutes: Substitute[];
}

async function judge(powers: Powers, choice: Choice, result: Proposals): Promise<void> {
  const { substitutes, capability, place, traces, mayCall } = choice;
  const by = substitutes.flatMap(({ steps }) => steps.map(({ tool }) => tool));
  try {
    const code = writeRepair(codeOf(capability), { substitutes, defaults: defaultsOf(capability) });
    const analysis = powers.analyses().analyse(code);
    const closure = await closeJob(powers, place, analysis);
    const reason = findReason(powers, choice, { analysis, closure });
    if (reason !== undefined) return void result.refused.push({ by, reason });
    const stand = new Map(
      by.map((id) => [id, powers.box.get(id).outputSchema ?? place.workspace.findLearnedOutput(id)]),
    );
    const mayReallyCall =
      mayCall && by.every((id) => isReadOnly(powers.box.get(id)) && !needsApproval(powers.box.get(id)));
    const replaced = substitutes.map(({ replaces }) => replaces);
    const evidence = await tryRepair(powers, { analysis, closure, traces, replaced, stand, mayCall: mayReallyCall });
    const confidence = weigh(substitutes, evidence);
    if (evidence.different.length > 0 && evidence.same.length + evidence.alike.length === 0)
      return void result.refused.push({
        by,
        reason: `Recorded runs turn out otherwise with it: ${evidence.different[0]?.reason}`,
      });
    result.candidates.push({ substitutes, code, evidence, confidence });
  } catch (error) {
    result.refused.push({ by, reason: powers.redact((error as Error).message) });
  }
}

/** Why it is not proposed, although it fits. */
function findReason(
  powers: Powers,
  { substitutes, old }: Choice,
  { analysis, closure }: { analysis: Analysis; closure: Closure },
): string | undefined {
  const { box, permissions, taint } = powers;
  const [denied] = listDenied(closure, box, permissions);
  if (denied !== undefined) return `${denied} is not allowed here.`;
  for (const { replaces, steps } of substitutes) {
    const before = old.find(({ id }) => id === replaces);
    const wider = steps.find(({ tool }) => reachOf(box.get(tool)) > reachOf(before?.tool ?? {}));
    if (wider !== undefined) return `${wider.tool} may do more than ${replaces} could.`;
  }
  const [flow] = findFlows(analysis, closure, { box, analyses: powers.analyses(), taint });
  return flow && `With it, ${explainFlow(flow)}.`;
}

/** Reads, acts, or has to be asked for. */
function reachOf(tool: Pick<NewTool, "annotations" | "approval">): number {
  if (needsApproval(tool)) return 2;
  return isReadOnly(tool) ? 0 : 1;
}

/** As if one more run had gone half well: nothing tried is no proof either way. */
function weigh(substitutes: readonly Substitute[], { same, alike, different, called }: RepairEvidence): number {
  const fit = Math.min(...substitutes.map((each) => each.fit));
  const tried = same.length + alike.length + different.length;
  const worth = called ? same.length + alike.length / 2 : (same.length + alike.length) / 2;
  return (fit * (worth + 0.5)) / (tried + 1);
}
