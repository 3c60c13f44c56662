import type { ForkMode, Guard, LoopNode, StructureEdge, StructureNode } from "../structure.js";

/** A node that control leaves, and by which way out. */
export interface Exit {
  readonly from: string;
  readonly outcome?: string;
}

/** Where control may be, and under which decisions. */
export interface Point {
  readonly frontier: readonly Exit[];
  readonly guard: readonly Guard[];
}

/** Work that was started and not yet waited for. */
interface Started {
  readonly mode: ForkMode;
  tail: readonly Exit[];
  joined: boolean;
}

type Prefix = "n" | "d" | "f" | "j" | "l";

/** Grows the structure along the flow of control. */
export class Flow {
  readonly nodes: StructureNode[] = [];
  readonly edges: StructureEdge[] = [];
  /** What the next node follows. */
  frontier: readonly Exit[] = [];
  /** Under which decisions this point is reached; empty where nothing stands in the way. */
  guard: readonly Guard[] = [];
  /** Nothing after this point is reached: the function was left, or control went on elsewhere. */
  dead = false;
  readonly #byId = new Map<string, StructureNode>();
  readonly #seen = new Set<string>();
  readonly #counts: Record<Prefix, number> = { n: 0, d: 0, f: 0, j: 0, l: 0 };
  readonly #loops: string[] = [];
  readonly #started = new Map<string, Started>();

  id(prefix: Prefix): string {
    return `${prefix}${++this.#counts[prefix]}`;
  }

  get(id: string): StructureNode | undefined {
    return this.#byId.get(id);
  }

  /** Adds a node after everything that control may come from. */
  add(node: StructureNode): string {
    const placed = this.guard.length === 0 ? node : { ...node, when: this.guard };
    this.nodes.push(placed);
    this.#byId.set(node.id, placed);
    const loop = this.#loops.at(-1);
    if (loop) this.connect({ from: loop, to: node.id, type: "contains" });
    this.follow(this.frontier, node.id);
    this.frontier = [{ from: node.id }];
    return node.id;
  }

  /** Takes back the last node, when it turned out to hold nothing. */
  remove(id: string, before: Point): void {
    this.nodes.pop();
    this.#byId.delete(id);
    this.#counts[id[0] as Prefix]--;
    while (this.edges.at(-1)?.to === id) this.#seen.delete(keyOf(this.edges.pop() as StructureEdge));
    this.moveTo(before);
  }

  follow(exits: readonly Exit[], to: string): void {
    for (const { from, outcome } of exits) {
      this.connect(outcome === undefined ? { from, to, type: "sequence" } : { from, to, type: "conditional", outcome });
    }
  }

  connect(edge: StructureEdge): void {
    const key = keyOf(edge);
    if (edge.from === edge.to || this.#seen.has(key)) return;
    this.#seen.add(key);
    this.edges.push(edge);
  }

  get isInLoop(): boolean {
    return this.#loops.length > 0;
  }

  /** Calls and loops that came after the first `count` nodes, without those inside of other loops among them. */
  stepsSince(count: number): string[] {
    const added = this.nodes.slice(count);
    const loops = new Set(added.filter(({ type }) => type === "loop").map(({ id }) => id));
    const inside = new Set(
      this.edges.filter(({ type, from }) => type === "contains" && loops.has(from)).map(({ to }) => to),
    );
    return added
      .filter(({ id, type }) => (type === "task" || type === "capability" || type === "loop") && !inside.has(id))
      .map(({ id }) => id);
  }

  here(): Point {
    return { frontier: this.frontier, guard: this.guard };
  }

  moveTo({ frontier, guard }: Point): void {
    this.frontier = frontier;
    this.guard = guard;
    this.dead = false;
  }

  /** The body's nodes stand inside the loop; what follows, follows the loop. False when there was nothing inside. */
  loop(node: LoopNode, body: () => void): boolean {
    const before = this.here();
    const dead = this.dead;
    this.add(node);
    const count = this.nodes.length;
    this.#loops.push(node.id);
    this.frontier = [];
    body();
    this.#loops.pop();
    if (this.nodes.length === count) {
      this.remove(node.id, before);
      this.dead = dead;
      return false;
    }
    this.moveTo({ frontier: [{ from: node.id }], guard: before.guard });
    return true;
  }

  /** Runs `body` beside what follows: it starts here and is waited for where something asks for its result. */
  start<Result>(mode: ForkMode, line: number, body: () => Result): { result: Result; work?: string } {
    const before = this.here();
    const fork = this.#findFork() ?? this.add({ id: this.id("f"), type: "fork", mode, line });
    const firstNew = this.nodes.length;
    const result = body();
    if (this.nodes.length === firstNew) {
      if (this.nodes.at(-1)?.id === fork) this.remove(fork, before);
      return { result };
    }
    const started: Started = { mode, tail: this.frontier, joined: false };
    const work = `!${this.#started.size}`;
    this.#track(started, firstNew);
    this.#started.set(work, started);
    this.moveTo({ frontier: [{ from: fork }], guard: before.guard });
    return { result, work };
  }

  /** Whether waiting for what comes from `sources` waits for this work. */
  isWaitedFor(work: string, sources: Iterable<string>): boolean {
    const started = this.#started.get(work);
    for (const source of sources) if (this.#started.get(source) === started) return true;
    return false;
  }

  /** Goes on inside work that was started: what a `.then` adds to it. */
  continueStarted<Result>(sources: Iterable<string>, line: number, body: () => Result): Result {
    const [started] = this.#open(sources);
    if (!started) return this.start("started", line, body).result;
    const before = this.here();
    const firstNew = this.nodes.length;
    this.frontier = started.tail;
    const result = body();
    started.tail = this.frontier;
    this.#track(started, firstNew);
    this.moveTo(before);
    return result;
  }

  /** Waits for started work that any of `sources` comes from. */
  join(sources: Iterable<string>, line: number): void {
    const open = this.#open(sources);
    const [first] = open;
    if (!first) return;
    const target = this.#findJoin() ?? this.#addJoin(first.mode, line);
    for (const started of open) {
      started.joined = true;
      this.follow(started.tail, target);
    }
  }

  #track(started: Started, firstNew: number): void {
    for (let i = firstNew; i < this.nodes.length; i++) this.#started.set((this.nodes[i] as StructureNode).id, started);
  }

  #open(sources: Iterable<string>): Started[] {
    if (this.#started.size === 0) return [];
    const found = new Set<Started>();
    for (const source of sources) {
      const started = this.#started.get(source);
      if (started && !started.joined) found.add(started);
    }
    return [...found];
  }

  #findFork(): string | undefined {
    return this.#onlyPredecessor("fork");
  }

  #findJoin(): string | undefined {
    return this.#onlyPredecessor("join");
  }

  #onlyPredecessor(type: StructureNode["type"]): string | undefined {
    const [only] = this.frontier;
    return this.frontier.length === 1 && only && this.get(only.from)?.type === type ? only.from : undefined;
  }

  #addJoin(mode: ForkMode, line: number): string {
    // What was started there is waited for here: the way from the fork leads through it.
    this.frontier = this.frontier.filter(({ from }) => this.get(from)?.type !== "fork");
    return this.add({ id: this.id("j"), type: "join", mode, line });
  }
}

function keyOf({ from, to, type, outcome = "" }: StructureEdge): string {
  return `${from} ${to} ${type} ${outcome}`;
}

/** Each way out once. */
export function distinct(exits: readonly Exit[]): Exit[] {
  return [...new Map(exits.map((exit) => [`${exit.from} ${exit.outcome ?? ""}`, exit])).values()];
}
