import type { Analysis, StructureNode } from "@pml/analyzer";
import { type CustomPermissions, listNearMatches, type Permissions } from "@pml/sandbox";

import type { Capability } from "../model/capability.js";
import { PmlError } from "../model/error.js";
import { checkSignature } from "../model/signature.js";
import { isReadOnly, needsApproval, type Tool } from "../model/tool.js";
import type { TraceResolution } from "../model/trace.js";
import { type Analyses, codeOf, defaultsOf } from "./analyses.js";
import type { FixedCalls } from "./naming.js";
import type { ToolBox } from "./tool-box.js";

/** A capability that a run may call, fixed before it starts. */
export interface Callee {
  /** As the code calls it. */
  name: string;
  capability: Capability;
  code: string;
  nodes: readonly StructureNode[];
  defaults: Record<string, unknown>;
}

/** Everything a run may reach, through every capability it calls. */
export interface Closure {
  tools: string[];
  callees: Callee[];
  /** Where a name is known only when the code runs. */
  computed: string[];
  /** What the names stood for, for the trace. */
  resolutions: TraceResolution[];
  warnings: string[];
}

export interface ClosureOptions {
  analyses: Analyses;
  /** Absent where no tool is really called, so that none need be there. */
  box?: ToolBox;
  fix: (called: readonly string[]) => Promise<FixedCalls>;
}

const DEEPEST = 16;

/** Throws for a tool or capability that does not exist: better before the first call than in the middle. */
export async function closeOver(analysis: Analysis, { analyses, box, fix }: ClosureOptions): Promise<Closure> {
  const tools = new Set<string>();
  const computed = new Set<string>();
  const callees = new Map<string, Callee>();
  const { find, resolutions, warnings } = await fix(analysis.permissions.capabilities);

  function visit({ permissions }: Analysis, within: readonly string[]): void {
    for (const id of permissions.tools) tools.add(box === undefined ? id : checkTool(id, box));
    for (const pattern of permissions.computed) computed.add(pattern);
    for (const name of permissions.capabilities) visitCallee(name, within);
  }

  function visitCallee(name: string, within: readonly string[]): void {
    if (within.length >= DEEPEST || within.includes(name)) throw tooDeep([...within, name]);
    if (callees.has(name)) return;
    const capability = find(name);
    if (capability === undefined) throw noCapability(name);
    checkSignature(capability);
    const inner = analyses.analyse(codeOf(capability));
    const { nodes } = inner.structure;
    callees.set(name, { name, capability, code: inner.instrumented.code, nodes, defaults: defaultsOf(capability) });
    visit(inner, [...within, name]);
  }

  visit(analysis, []);
  return {
    tools: [...tools].sort(),
    callees: [...callees.values()],
    computed: [...computed].sort(),
    resolutions,
    warnings,
  };
}

/** What of a closure has to be asked for. */
export function listToAsk({ tools, computed }: Closure, box: ToolBox): { id: string; reason: string }[] {
  const marked = tools.filter((id) => needsApproval(box.get(id)));
  return [
    ...marked.map((id) => ({ id, reason: reasonFor(box.get(id)) })),
    ...computed.map((id) => ({ id, reason: "which tool this calls is known only when it runs" })),
  ];
}

/**
 * What the sandbox lets the run call: what its permission set allows, of that only what is in the closure, and of what
 * has to be asked for only what was approved.
 */
export function grantFor(
  closure: Closure,
  { box, permissions, approved }: { box: ToolBox; permissions: Permissions; approved: ReadonlySet<string> },
): CustomPermissions {
  const hasComputed = closure.computed.some((pattern) => approved.has(pattern));
  const reachable = hasComputed ? box.list().map(({ id }) => id) : closure.tools;
  const allow = reachable.filter((id) => {
    const tool = box.get(id);
    if (needsApproval(tool)) return approved.has(id) && (permissions === "standard" || allows(permissions, tool));
    return allows(permissions, tool);
  });
  const quiet = permissions === "minimal";
  return { allow, clock: !quiet && clockOf(permissions), random: !quiet && randomOf(permissions) };
}

/** Tools that no approval could allow: the run is refused before it starts. */
export function listDenied({ tools }: Closure, box: ToolBox, permissions: Permissions): string[] {
  return tools.filter((id) => {
    const tool = box.get(id);
    if (permissions === "standard" && needsApproval(tool)) return false;
    return !allows(permissions, tool);
  });
}

function allows(permissions: Permissions, tool: Tool): boolean {
  if (permissions === "privileged") return true;
  if (permissions === "standard") return tool.annotations?.destructiveHint !== true || tool.approval === "auto";
  if (permissions === "minimal") return isReadOnly(tool);
  const matches = (pattern: string): boolean =>
    pattern === "*" || pattern === tool.id || (pattern.endsWith(":*") && tool.id.startsWith(pattern.slice(0, -1)));
  return permissions.allow.some(matches) && !(permissions.deny ?? []).some(matches);
}

function clockOf(permissions: Permissions): boolean {
  return typeof permissions === "string" || permissions.clock !== false;
}

function randomOf(permissions: Permissions): boolean {
  return typeof permissions === "string" || permissions.random !== false;
}

function reasonFor({ approval, annotations }: Tool): string {
  if (annotations?.destructiveHint === true) return "it may destroy something";
  return approval === "required" ? "it is marked for approval" : "it has effects";
}

function checkTool(id: string, box: ToolBox): string {
  if (box.find(id) !== undefined) return id;
  const suggestions = listNearMatches(
    id,
    box.list().map((tool) => tool.id),
  );
  const hint = suggestions.length === 0 ? "" : ` Did you mean ${suggestions.join(" or ")}?`;
  throw new PmlError("PML_TOOL_NOT_FOUND", `There is no tool ${id}.${hint}`, { details: { tool: id, suggestions } });
}

export function noCapability(name: string): PmlError {
  const message = `There is no capability "${name}". Ask discover for what there is.`;
  return new PmlError("PML_CAPABILITY_NOT_FOUND", message, { details: { capability: name } });
}

function tooDeep(chain: readonly string[]): PmlError {
  const message = `Capabilities call each other too deeply: ${chain.slice(0, 6).join(" → ")}.`;
  return new PmlError("PML_CAPABILITY_CYCLE", message, { details: { chain } });
}
