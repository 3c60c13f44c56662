import type { StaticStructure, StructureNode } from "../structure.js";
import type { Ancestry } from "./ancestry.js";

/** Calls that may have gone before a point, as numbers of tasks: the last that write, and those that read since. */
type Before = ReadonlySet<number>;

const NONE: Before = new Set();

/**
 * Which calls a call must wait for though no data flows between them. What came before it in the code stays before it,
 * unless both only read. Nodes are told in their order.
 */
export class Order {
  readonly #ancestry: Ancestry;
  readonly #predecessors = new Map<string, string[]>();
  readonly #declared = new Map<string, string[]>();
  readonly #loopOf = new Map<string, string>();
  readonly #after = new Map<string, Before>();
  readonly #taskOf = new Map<string, number>();
  readonly #writes = new Set<number>();

  constructor({ edges }: StaticStructure, ancestry: Ancestry) {
    this.#ancestry = ancestry;
    for (const { from, to, type, declared } of edges) {
      if (type === "contains") this.#loopOf.set(to, from);
      else if (type !== "provides") append(declared ? this.#declared : this.#predecessors, to, from);
    }
  }

  /** Control passes a node that is no call. */
  pass(node: StructureNode): void {
    this.#after.set(node.id, this.#before(node.id));
  }

  /** What a call has to wait for. */
  waitsFor(node: StructureNode, reads: boolean): Set<number> {
    const before = this.#before(this.#loopOf.get(node.id) ?? node.id);
    const declared = (this.#declared.get(node.id) ?? []).flatMap((id) => this.#taskOf.get(id) ?? []);
    return new Set([...[...before].filter((task) => !reads || this.#writes.has(task)), ...declared]);
  }

  /** The call has become a task. */
  call(node: StructureNode, task: number, reads: boolean): void {
    const loop = this.#loopOf.get(node.id);
    const before = this.#before(loop ?? node.id);
    const after = new Set(reads ? [...before, task] : [task]);
    if (!reads) this.#writes.add(task);
    this.#taskOf.set(node.id, task);
    this.#after.set(node.id, after);
    if (loop !== undefined) this.#after.set(loop, after);
  }

  #before(id: string): Before {
    const [only, ...others] = this.#predecessors.get(id) ?? [];
    if (only === undefined) return NONE;
    const first = this.#after.get(only) ?? NONE;
    if (others.length === 0) return first;
    const all = new Set([...first, ...others.flatMap((other) => [...(this.#after.get(other) ?? NONE)])]);
    // Reads that waited for a write do not stand for it: a later read waits for the write, not for them.
    return new Set(this.#ancestry.without(all, new Set([...all].filter((task) => this.#writes.has(task)))));
  }
}

function append(lists: Map<string, string[]>, key: string, value: string): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
