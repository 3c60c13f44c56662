import type { Analysis, ArgumentValue, CapabilityNode, LoopNode, StructureNode, TaskNode } from "@pml/analyzer";

import { extend, type FlowStep, mergeTrails, type Trail } from "./trail.js";

/** What of the inputs of a piece of code came from strangers, by name; `*` for what may be in any of them. */
export type InputTrails = ReadonlyMap<string, readonly Trail[]>;

/** What is asked of tools and capabilities while code is followed. */
export interface FlowWorld {
  isUntrusted(tool: string): boolean;
  isClean(tool: string): boolean;
  /** What a capability gives for these inputs. */
  follow(node: CapabilityNode, inputs: InputTrails): readonly Trail[];
}

type CallNode = TaskNode | CapabilityNode;

/** Follows what strangers wrote through one piece of code, by its structure alone. */
export class CodeFlow {
  readonly #analysis: Analysis;
  readonly #inputs: InputTrails;
  readonly #world: FlowWorld;
  readonly #capability: string | undefined;
  readonly #nodes: ReadonlyMap<string, StructureNode>;
  readonly #around = new Map<string, string>();
  readonly #known = new Map<string, readonly Trail[]>();
  #loose: readonly Trail[] | undefined;

  constructor(
    analysis: Analysis,
    { inputs, world, capability }: { inputs: InputTrails; world: FlowWorld; capability: string | undefined },
  ) {
    this.#analysis = analysis;
    this.#inputs = inputs;
    this.#world = world;
    this.#capability = capability;
    this.#nodes = new Map(analysis.structure.nodes.map((node) => [node.id, node]));
    for (const { from, to, type } of analysis.structure.edges) if (type === "contains") this.#around.set(to, from);
    for (const { id, type } of analysis.structure.nodes) if (type === "loop") this.#around.set(turnOf(id), id);
    this.#followCalls();
  }

  listCalls(): CallNode[] {
    return this.#analysis.structure.nodes.filter((node) => node.type === "task" || node.type === "capability");
  }

  /** What the code gives back. */
  listReturned(): readonly Trail[] {
    const returned = this.#analysis.returns.map(({ value }) => (value === undefined ? [] : this.trailsOf(value)));
    return mergeTrails(...returned, this.#listLoose());
  }

  /** What is in a value; in one that is written out, nothing. `user` is the node that it is given to. */
  trailsOf(value: ArgumentValue, user?: string): readonly Trail[] {
    if (value.type === "literal") return this.#analysis.blindSpots.some(({ late }) => late) ? this.#listLoose() : [];
    return mergeTrails(this.#trailsWithin(value, user), this.#listLoose());
  }

  /** Everything that a call is given, by field; `...` for what has no field of its own. */
  inputsOf({ id, arguments: fields, spread = [] }: CallNode): Map<string, readonly Trail[]> {
    const given = new Map(Object.entries(fields).map(([name, value]) => [name, this.trailsOf(value, id)]));
    const rest = mergeTrails(...spread.map((value) => this.trailsOf(value, id)));
    // What is called out of sight may be given anything.
    const isUnseen = Object.keys(fields).length === 0 && spread.length === 0;
    return given.set("...", isUnseen ? mergeTrails(rest, this.#listLoose()) : rest);
  }

  /** What decides whether a step is reached, and how often. */
  trailsToward(id: string, seen: Set<string> = new Set()): readonly Trail[] {
    if (seen.has(id)) return [];
    seen.add(id);
    const node = this.#nodes.get(id);
    const deciding = (node?.when ?? []).map(({ decision }) => decision);
    const around = this.#around.get(id);
    const tests = [...deciding, ...(around === undefined ? [] : [around])].flatMap((each) => {
      const decision = this.#nodes.get(each);
      const value =
        decision?.type === "decision" ? decision.test : decision?.type === "loop" ? decision.over : undefined;
      return [value === undefined ? [] : this.trailsOf(value, each), this.trailsToward(each, seen)];
    });
    return mergeTrails(...tests);
  }

  step(node: StructureNode, at: string): FlowStep {
    return { at, line: node.line, ...(this.#capability !== undefined && { capability: this.#capability }) };
  }

  #trailsWithin(value: ArgumentValue, user: string | undefined): readonly Trail[] {
    switch (value.type) {
      case "literal":
        return [];
      case "parameter": {
        const { parameterName: name, path } = value;
        const any = name === "*" ? [...this.#inputs.values()] : [this.#inputs.get("*") ?? []];
        const written = ["args", ...(name === "*" ? [] : [name]), ...path].join(".");
        return this.#write(mergeTrails(this.#inputs.get(name) ?? [], ...any), written);
      }
      case "reference":
        return this.#write(this.#trailsFrom(value.from, user), value.expression);
      case "expression": {
        const from = value.dependsOn.map((id) => this.#trailsFrom(id, user));
        const parameters = value.parameters.map((name) =>
          mergeTrails(this.#inputs.get(name) ?? [], this.#inputs.get("*") ?? []),
        );
        return this.#write(mergeTrails(...from, ...parameters), value.expression);
      }
    }
  }

  #write(trails: readonly Trail[], expression: string): readonly Trail[] {
    return expression === "" ? trails : trails.map((trail) => extend(trail, { at: expression }));
  }

  /** Round by round, as what a turn of a loop leaves to the next one comes back to where it was. */
  #followCalls(): void {
    for (let isNew = true; isNew;) {
      isNew = false;
      for (const node of this.listCalls()) {
        const before = this.#known.get(node.id)?.length ?? 0;
        const trails = mergeTrails(this.#known.get(node.id) ?? [], this.#trailsOfCall(node));
        this.#known.set(node.id, trails);
        isNew ||= trails.length > before;
      }
    }
  }

  #trailsFrom(id: string, user: string | undefined): readonly Trail[] {
    const node = this.#nodes.get(id);
    return node?.type === "loop" ? this.#trailsOfLoop(node, user) : (this.#known.get(id) ?? []);
  }

  #trailsOfCall(node: CallNode): readonly Trail[] {
    const inputs = this.inputsWithin(node);
    if (node.type === "capability") {
      const at = `capabilities.${node.capability}`;
      return this.#world.follow(node, inputs).map((trail) => extend(trail, this.step(node, at)));
    }
    const own = this.#world.isUntrusted(node.tool) ? [this.#begin(node)] : [];
    const passed = this.#world.isClean(node.tool) ? [] : mergeTrails(...inputs.values());
    return mergeTrails(
      own,
      passed.map((trail) => extend(trail, this.step(node, node.tool))),
    );
  }

  /** As `inputsOf`, by what the code shows alone. */
  inputsWithin({ id, arguments: fields, spread = [] }: CallNode): Map<string, readonly Trail[]> {
    const given = new Map(Object.entries(fields).map(([name, value]) => [name, this.#trailsWithin(value, id)]));
    return given.set("*", mergeTrails(...spread.map((value) => this.#trailsWithin(value, id))));
  }

  #begin(node: TaskNode): Trail {
    return { source: node.tool, key: `${this.#capability ?? ""}/${node.id}`, steps: [this.step(node, node.tool)] };
  }

  /** Inside, an element of what it walks over; after it, what its turns gave. */
  #trailsOfLoop(loop: LoopNode, user: string | undefined): readonly Trail[] {
    const over = loop.over === undefined ? [] : this.#trailsWithin(loop.over, loop.id);
    if (user !== undefined && this.#isInside(user, loop.id)) return over;
    if (loop.result !== undefined) return mergeTrails(over, this.#trailsWithin(loop.result, turnOf(loop.id)));
    const inside = this.listCalls().filter(({ id }) => this.#isInside(id, loop.id));
    return mergeTrails(over, ...inside.map(({ id }) => this.#trailsFrom(id, undefined)));
  }

  #isInside(id: string, loop: string): boolean {
    for (let around = this.#around.get(id); around !== undefined; around = this.#around.get(around))
      if (around === loop) return true;
    return false;
  }

  /** In code that is not wholly seen, all there is may be anywhere. */
  #listLoose(): readonly Trail[] {
    const [spot] = this.#analysis.blindSpots;
    if (spot === undefined) return [];
    if (this.#loose !== undefined) return this.#loose;
    const unsure = `${spot.reason} (line ${spot.line})`;
    const all = mergeTrails(
      ...this.#inputs.values(),
      ...this.listCalls().map(({ id }) => this.#trailsFrom(id, undefined)),
    );
    this.#loose = all.map((trail) => ({ ...trail, unsure: trail.unsure ?? unsure }));
    return this.#loose;
  }
}

/** Stands for wherever one is in a turn of the loop. */
function turnOf(loop: string): string {
  return `${loop} turn`;
}
