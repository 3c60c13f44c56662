import type { Capability } from "../../model/capability.js";
import type { Scope } from "../../model/scope.js";
import { asGiven, type NewTool } from "../../model/tool.js";
import type { Trace } from "../../model/trace.js";
import { listCapabilities } from "../../store/capabilities.js";
import { listTools } from "../../store/tools.js";
import { listTraces } from "../../store/traces.js";
import { codeOf } from "../analyses.js";
import type { Place, Powers } from "../job.js";
import { describeOldTool } from "./old-tool.js";
import { propose, type RepairCandidate, type RefusedSubstitute } from "./propose.js";
import { writeWithout } from "./write-repair.js";

export interface RepairRequest {
  /** One capability, by name or id; all that are broken when not given. */
  name?: string;
  /**
   * Lets what is proposed be called with what recorded runs gave to what it replaces, if it only reads. By default nothing
   * is called, and results are compared by their types.
   */
  mayCall?: boolean;
  scope?: Partial<Scope>;
}

/** A capability that lacks a tool, or whose tool takes other input than it did, and what could be called instead. */
export interface Repair {
  capabilityId: string;
  name?: string;
  broken: { tool: string; why: "gone" | "changed" }[];
  /** The surest first. Nothing of them is in force: `names.update` is what takes one up. */
  candidates: RepairCandidate[];
  /** What fits by its schemas and is not proposed. */
  refused: RefusedSubstitute[];
}

const TRIED_ON = 5;
const LOOKED_AT = 50;
const MOST_CAPABILITIES = 200;

/** Looks for what broken capabilities could call instead, and tries it on what they have done. Changes nothing. */
export async function repair(powers: Powers, { name, mayCall = false, scope }: RepairRequest = {}): Promise<Repair[]> {
  const place = await powers.open(scope);
  const capabilities =
    name === undefined
      ? await listCapabilities(place.context, { sortBy: "usage", limit: MOST_CAPABILITIES, currentOnly: true })
      : [(await powers.naming.resolve(place.context, name)).capability];
  const stored = new Map((await listTools(place.context)).map((tool) => [tool.id, asGiven(tool)]));
  const repairs: Repair[] = [];
  for (const capability of capabilities.filter(({ status }) => status !== "draft")) {
    const found = await repairOne(powers, { place, capability, stored, mayCall });
    if (found !== undefined) repairs.push(found);
  }
  return repairs;
}

interface Work {
  place: Place;
  capability: Capability;
  stored: ReadonlyMap<string, NewTool>;
  mayCall: boolean;
}

async function repairOne(powers: Powers, work: Work): Promise<Repair | undefined> {
  const { place, capability, stored } = work;
  const isSuspect = (tool: string): boolean =>
    powers.box.find(tool) === undefined || (place.workspace.versions.get(tool) ?? 1) > 1;
  if (!capability.toolsUsed.some(isSuspect)) return undefined;
  const traces = await listGoodRuns(place, capability.id);
  const broken = listBroken(powers, capability, traces);
  if (broken.length === 0) return undefined;
  const code = codeOf(capability);
  const analysis = powers.analyses().analyse(code);
  const old = broken.flatMap(({ tool, why }) => {
    const known = stored.get(tool);
    return known === undefined ? [] : [describeOldTool(known, { analysis, traces, isGone: why === "gone" })];
  });
  const result: Repair = {
    capabilityId: capability.id,
    ...(capability.name !== undefined && { name: capability.name }),
    broken,
    candidates: [],
    refused: [],
  };
  const hidden = listUnseen(powers, code, broken);
  if (hidden !== undefined) result.refused.push(hidden);
  else await propose(powers, { ...work, old, traces }, result);
  return result;
}

async function listGoodRuns({ context }: Place, capabilityId: string): Promise<Trace[]> {
  const traces = await listTraces(context, { capabilityId, limit: LOOKED_AT });
  return traces.filter(({ success, feedback }) => success && feedback?.ok !== false).slice(0, TRIED_ON);
}

/** A tool has changed where it takes no longer what it was given. */
function listBroken({ box }: Powers, { toolsUsed }: Capability, traces: readonly Trace[]): Repair["broken"] {
  return toolsUsed.flatMap((tool): Repair["broken"] => {
    if (box.find(tool) === undefined) return [{ tool, why: "gone" }];
    const calls = traces.flatMap(({ tasks }) => tasks.filter((task) => task.tool === tool));
    return calls.some(({ args }) => box.findProblem(tool, args ?? {}) !== undefined) ? [{ tool, why: "changed" }] : [];
  });
}

/** Calls that are written so that they cannot be found: the code would go on calling what is not there. */
function listUnseen(powers: Powers, code: string, broken: Repair["broken"]): RefusedSubstitute | undefined {
  const tools = broken.map(({ tool }) => tool);
  const { permissions } = powers.analyses().analyse(writeWithout(code, tools));
  const left = tools.filter((tool) => permissions.tools.includes(tool));
  if (left.length === 0) return undefined;
  return { by: [], reason: `The code calls ${left.join(", ")} in a way that cannot be rewritten.` };
}
