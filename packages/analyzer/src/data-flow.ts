import type { Machine } from "./evaluate/machine.js";
import { nodesIn, NO_SOURCES, type Sources } from "./evaluate/values.js";
import type {
  Arguments,
  ArgumentValue,
  DataFlow,
  Return,
  StaticStructure,
  StructureEdge,
  StructureNode,
} from "./structure.js";

interface Use {
  readonly input: string;
  readonly value: ArgumentValue;
}

export interface Followed {
  readonly structure: StaticStructure;
  readonly dataFlow: readonly DataFlow[];
  readonly returns: readonly Return[];
}

/** Every use of a node's result, and the structure with an edge for each pair of calls that data flows between. */
export function followData(machine: Machine): Followed {
  const resolver = new Resolver(machine);
  const isSettled = machine.carried.size === 0 && machine.collected.size === 0;
  const nodes = isSettled ? machine.flow.nodes : machine.flow.nodes.map((node) => resolver.settle(node));
  const returns = isSettled ? machine.returned : machine.returned.map((each) => resolver.settleReturn(each));
  const dataFlow: DataFlow[] = [];
  for (const node of nodes) for (const use of usesOf(node)) dataFlow.push(...resolver.flowsOf(node, use));
  const provides = new Map<string, StructureEdge>();
  for (const { from, to } of dataFlow) {
    const isStep = from !== to && to.startsWith("n");
    if (isStep) provides.set(`${from} ${to}`, { from, to, type: "provides" });
  }
  return { structure: { nodes, edges: [...machine.flow.edges, ...provides.values()] }, dataFlow, returns };
}

function usesOf(node: StructureNode): Use[] {
  switch (node.type) {
    case "task":
    case "capability": {
      const uses: Use[] = [];
      for (const [input, value] of Object.entries(node.arguments))
        if (value.type !== "literal") uses.push({ input, value });
      for (const value of node.spread ?? []) uses.push({ input: "...", value });
      return uses;
    }
    case "decision":
      return node.test ? [{ input: "condition", value: node.test }] : [];
    case "loop":
      return node.over ? [{ input: "over", value: node.over }] : [];
    default:
      return [];
  }
}

/** Finds the calls behind what was noted while the code was read. */
class Resolver {
  readonly #carried: ReadonlyMap<string, Sources>;
  readonly #collected: ReadonlyMap<string, ArgumentValue>;
  readonly #loops = new Map<string, ArgumentValue | undefined>();
  readonly #parents = new Map<string, string>();
  readonly #resolved = new Map<string, ReadonlySet<string>>();
  readonly #open: string[] = [];
  #shallowest = Number.POSITIVE_INFINITY;

  constructor({ carried, collected, flow }: Machine) {
    this.#carried = carried;
    this.#collected = collected;
    for (const node of flow.nodes) if (node.type === "loop") this.#loops.set(node.id, node.over);
    for (const { from, to, type } of flow.edges) if (type === "contains") this.#parents.set(to, from);
  }

  flowsOf(node: StructureNode, { input, value }: Use): DataFlow[] {
    const to = node.id;
    if (value.type === "reference" && !this.#loops.has(value.from))
      return [{ from: value.from, to, input, path: value.path }];
    return this.#callsBehind(sourcesOf(value), to).map((from) => ({ from, to, input }));
  }

  /** The node, with the marks for what one iteration leaves to the next replaced by where that comes from. */
  settle(node: StructureNode): StructureNode {
    if (node.type === "task" || node.type === "capability") {
      const spread = node.spread?.map((value) => this.#settleValue(value));
      return { ...node, arguments: this.#settleAll(node.arguments), ...(spread && { spread }) };
    }
    if (node.type === "decision" && node.test) return { ...node, test: this.#settleValue(node.test) };
    if (node.type !== "loop") return node;
    const result = this.#collected.get(node.id);
    return {
      ...node,
      ...(node.over && { over: this.#settleValue(node.over) }),
      ...(result && { result: this.#settleValue(result) }),
    };
  }

  settleReturn(each: Return): Return {
    return each.value ? { ...each, value: this.#settleValue(each.value) } : each;
  }

  #settleAll(values: Arguments): Arguments {
    return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, this.#settleValue(value)]));
  }

  #settleValue(value: ArgumentValue): ArgumentValue {
    if (value.type !== "expression") return value;
    return {
      ...value,
      dependsOn: [...this.#withoutMarks(value.dependsOn)],
      ...(value.fields && { fields: this.#settleAll(value.fields) }),
      ...(value.items && { items: value.items.map((item) => this.#settleValue(item)) }),
      ...(value.text && { text: value.text.map((part) => this.#settleValue(part)) }),
      ...(value.arguments && { arguments: this.#settleAll(value.arguments) }),
    };
  }

  /** The sources, with each mark replaced by where what it stands for comes from. */
  #withoutMarks(sources: Iterable<string>): Set<string> {
    const found = new Set<string>();
    for (const source of sources) {
      if (!source.startsWith("~")) found.add(source);
      else for (const inner of this.#behindMark(source)) found.add(inner);
    }
    return found;
  }

  #behindMark(mark: string): ReadonlySet<string> {
    const known = this.#resolved.get(mark);
    if (known) return known;
    const before = this.#open.indexOf(mark);
    if (before !== -1) {
      this.#shallowest = Math.min(this.#shallowest, before);
      return NO_SOURCES;
    }
    const depth = this.#open.push(mark) - 1;
    const found = this.#withoutMarks(nodesIn(this.#carried.get(mark) ?? []));
    this.#open.pop();
    // In a circle, only the mark it was entered by has seen all of it.
    if (this.#shallowest >= depth) {
      this.#resolved.set(mark, found);
      this.#shallowest = Number.POSITIVE_INFINITY;
    }
    return found;
  }

  /** Inside a loop, the loop stands for what it walks over; outside, for what its iterations returned. */
  #callsBehind(sources: readonly string[], user: string, seen: Set<string> = new Set()): string[] {
    if (this.#loops.size === 0 && this.#carried.size === 0) return [...new Set(sources)];
    const found = new Set<string>();
    for (const source of this.#withoutMarks(sources)) {
      if (!this.#loops.has(source)) found.add(source);
      else if (!seen.has(source)) {
        seen.add(source);
        const behind = this.#isInside(user, source) ? this.#loops.get(source) : this.#collected.get(source);
        for (const inner of this.#callsBehind(behind ? sourcesOf(behind) : [], user, seen)) found.add(inner);
      }
    }
    return [...found];
  }

  #isInside(node: string, loop: string): boolean {
    for (let parent = this.#parents.get(node); parent !== undefined; parent = this.#parents.get(parent)) {
      if (parent === loop) return true;
    }
    return false;
  }
}

function sourcesOf(value: ArgumentValue): readonly string[] {
  if (value.type === "reference") return [value.from];
  return value.type === "expression" ? value.dependsOn : [];
}
