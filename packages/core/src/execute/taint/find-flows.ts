import type { Analysis, CapabilityNode, TaskNode } from "@pml/analyzer";

import type { Tool } from "../../model/tool.js";
import { type Analyses, codeOf } from "../analyses.js";
import type { Callee, Closure } from "../closure.js";
import type { ToolBox } from "../tool-box.js";
import { CodeFlow, type FlowWorld, type InputTrails } from "./code-flow.js";
import type { Taint } from "./taint-options.js";
import { extend, type FlowStep, mergeTrails, type Trail } from "./trail.js";

/** A way from what a stranger wrote to where a stranger must not steer. */
export interface TaintFlow {
  /** The untrusted tool. */
  source: string;
  /** The sensitive one. */
  sink: string;
  /** The field that it reaches; `...` where it may be any, `(whether)` where it only decides whether the call is made. */
  field: string;
  path: FlowStep[];
  /** Why it is not known whether anything goes this way, where that is so. */
  unsure?: string;
}

interface Known {
  readonly box: ToolBox;
  readonly analyses: Analyses;
  readonly taint: Taint;
}

/** Everything that may go from an untrusted tool to a sensitive one in a run, through every capability it calls. */
export function findFlows(analysis: Analysis, closure: Closure, known: Known): TaintFlow[] {
  const tools = listTools(closure, known.box);
  const isAnywhere = (has: (tool: Tool) => boolean): boolean => tools.some(has);
  if (!isAnywhere(known.taint.isUntrusted) || !isAnywhere((tool) => known.taint.findSensitive(tool) !== false))
    return [];
  const search = new FlowSearch(closure, known);
  search.visit(analysis, { inputs: new Map(), capability: undefined, toward: [] });
  return search.list();
}

/** With a name that is known only when the code runs, any tool may be called. */
function listTools({ tools, computed }: Closure, box: ToolBox): Tool[] {
  return computed.length > 0 ? box.list() : tools.flatMap((id) => box.find(id) ?? []);
}

interface Visit {
  readonly inputs: InputTrails;
  readonly capability: string | undefined;
  /** What decided that this code is called at all. */
  readonly toward: readonly Trail[];
}

class FlowSearch {
  readonly #known: Known;
  readonly #callees: ReadonlyMap<string, Callee>;
  readonly #flows = new Map<string, TaintFlow>();
  readonly #returned = new Map<string, readonly Trail[]>();

  constructor(closure: Closure, known: Known) {
    this.#known = known;
    this.#callees = new Map(closure.callees.map((callee) => [callee.name, callee]));
  }

  list(): TaintFlow[] {
    return [...this.#flows.values()];
  }

  /** Notes the flows that end in this code or below it, and gives what it returns. */
  visit(analysis: Analysis, { inputs, capability, toward }: Visit): readonly Trail[] {
    const world: FlowWorld = {
      isUntrusted: (id) => this.#match(id).some((tool) => this.#known.taint.isUntrusted(tool)),
      isClean: (id) => !id.startsWith("code:") && this.#match(id).every((tool) => this.#known.taint.isClean(tool)),
      follow: (node, given) => this.#follow(node, given, { capability, toward }),
    };
    const flow = new CodeFlow(analysis, { inputs, world, capability });
    for (const node of flow.listCalls()) {
      const deciding = this.#known.taint.conditions ? mergeTrails(toward, flow.trailsToward(node.id)) : [];
      if (node.type === "task") this.#noteSinks(node, { flow, deciding });
      else this.#follow(node, flow.inputsOf(node), { capability, toward: deciding });
    }
    return flow.listReturned();
  }

  #noteSinks(node: TaskNode, { flow, deciding }: { flow: CodeFlow; deciding: readonly Trail[] }): void {
    for (const tool of this.#match(node.tool)) {
      const fields = this.#known.taint.findSensitive(tool);
      if (fields === false) continue;
      const isMeant = (name: string): boolean => fields === true || name === "..." || fields.includes(name);
      for (const [field, trails] of flow.inputsOf(node))
        if (isMeant(field))
          for (const trail of trails) this.#note(trail, tool.id, flow.step(node, `${tool.id}.${field}`));
      for (const trail of deciding) this.#note(trail, tool.id, flow.step(node, `${tool.id}.(whether)`));
    }
  }

  #note(trail: Trail, sink: string, end: FlowStep): void {
    const field = end.at.slice(sink.length + 1);
    const { source, steps, unsure } = extend(trail, end);
    const key = JSON.stringify([trail.key, sink, field, end.capability, end.line]);
    if (this.#flows.has(key) && unsure !== undefined) return;
    this.#flows.set(key, { source, sink, field, path: [...steps], ...(unsure !== undefined && { unsure }) });
  }

  #follow(
    node: CapabilityNode,
    given: InputTrails,
    { capability, toward }: Pick<Visit, "capability" | "toward">,
  ): readonly Trail[] {
    const end = { line: node.line, ...(capability !== undefined && { capability }) };
    const at = `capabilities.${node.capability}`;
    const enter = ([name, trails]: [string, readonly Trail[]]): [string, readonly Trail[]] => {
      const step = { ...end, at: name === "*" ? at : `${at}.${name}` };
      return [name, trails.map((trail) => extend(trail, step))];
    };
    const inputs = new Map([...rename(given)].map(enter));
    const names = node.capability === "*" ? [...this.#callees.keys()] : [nameOf(node)];
    const known = names.flatMap((name) => this.#callees.get(name) ?? []);
    return mergeTrails(...known.map((callee) => this.#followInto(callee, inputs, toward)));
  }

  /** Each capability is followed once for the same strangers in the same inputs. */
  #followInto(callee: Callee, inputs: InputTrails, toward: readonly Trail[]): readonly Trail[] {
    const keys = [...inputs].map(([name, trails]) => [name, trails.map(({ key }) => key).sort()] as const);
    const key = JSON.stringify([callee.name, keys.sort(), toward.map((trail) => trail.key).sort()]);
    const returned = this.#returned.get(key);
    if (returned !== undefined) return returned;
    this.#returned.set(key, []);
    const analysis = this.#known.analyses.analyse(codeOf(callee.capability));
    const result = this.visit(analysis, { inputs, capability: callee.name, toward });
    this.#returned.set(key, result);
    return result;
  }

  /** The tools that a node may call. */
  #match(id: string): Tool[] {
    const { box } = this.#known;
    if (id.startsWith("code:")) return [];
    if (!id.endsWith("*")) return [box.find(id) ?? []].flat();
    return box.list().filter((tool) => id === "*" || tool.id.startsWith(id.slice(0, -1)));
  }
}

function nameOf({ capability, version }: CapabilityNode): string {
  return version === undefined ? capability : `${capability}@${version}`;
}

/** What has no field of its own may be in any of the inputs. */
function rename(given: InputTrails): InputTrails {
  const { "...": rest = [], ...named } = Object.fromEntries(given);
  return new Map([...Object.entries(named), ["*", mergeTrails(named["*"] ?? [], rest)]]);
}
