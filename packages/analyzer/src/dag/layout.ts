import type { Guard } from "../structure.js";
import { type DagReturn, type DAGStructure, type DagTask, listSources } from "./dag.js";

/** A step of the code to write. `guards` are the outcomes it depends on that no block around it stands for. */
export interface Step {
  readonly task?: DagTask;
  readonly returned?: DagReturn;
  readonly guards: readonly Guard[];
}

/** What stands under one outcome of a decision. */
export interface Block extends Guard {
  readonly entries: Entry[];
}

export type Entry = Step | Block;

export function isBlock(entry: Entry): entry is Block {
  return "entries" in entry;
}

interface Item {
  readonly id: string;
  readonly task?: DagTask;
  readonly returned?: DagReturn;
  /** Outcomes it depends on, outermost first. */
  readonly chain: readonly Guard[];
  /** Tasks whose results it names. */
  readonly uses: readonly string[];
}

/**
 * Puts tasks and returns into blocks, in their order. What is used outside of its block stands further out, under a
 * guard of its own. `inlined` tasks stand where they are used and have no place.
 */
export function layOut(dag: DAGStructure, inlined: ReadonlyMap<string, DagTask>): Entry[] {
  const items = listItems(dag, inlined);
  const depths = new Map(items.map(({ id, chain }) => [id, chain.length]));
  for (;;) {
    const { entries, places } = build(items, depths);
    if (!pullOut(items, places, depths)) return entries;
  }
}

function listItems({ tasks, returns = [] }: DAGStructure, inlined: ReadonlyMap<string, DagTask>): Item[] {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const chains = new Map<string, readonly Guard[]>();
  const chainOf = (when: Guard | undefined): readonly Guard[] => {
    if (!when) return [];
    const key = `${when.decision} ${when.outcome}`;
    const known = chains.get(key) ?? [...chainOf(byId.get(when.decision)?.when), when];
    chains.set(key, known);
    return known;
  };
  const expand = (ids: readonly string[]): string[] =>
    ids.flatMap((id) => (inlined.has(id) ? expand(usesOf(inlined.get(id) as DagTask)) : [id]));
  const items: Item[] = tasks
    .filter(({ id }) => !inlined.has(id))
    .map((task) => ({ id: task.id, task, chain: chainOf(task.when), uses: expand(usesOf(task)) }));
  returns.forEach((returned, index) => {
    const chain = chainOf(returned.when);
    const uses = expand(returned.value === undefined ? [] : listSources(returned.value));
    const outcomes = new Map(chain.map(({ decision, outcome }) => [decision, outcome]));
    const last = items.findLastIndex((item) => !isExclusive(item.chain, outcomes));
    items.splice(last + 1, 0, { id: `return ${index}`, returned, chain, uses });
  });
  return items;
}

function usesOf({ id, arguments: inputs, forEach }: DagTask): string[] {
  return [...listSources(inputs), ...(forEach ? listSources(forEach.items) : [])].filter((each) => each !== id);
}

interface Built {
  readonly entries: Entry[];
  /** The blocks around each item, outermost first. */
  readonly places: ReadonlyMap<string, readonly Block[]>;
}

function build(items: readonly Item[], depths: ReadonlyMap<string, number>): Built {
  const entries: Entry[] = [];
  const places = new Map<string, readonly Block[]>();
  let open: Block[] = [];
  for (const { id, task, returned, chain } of items) {
    const home = chain.slice(0, depths.get(id));
    const shared = home.findIndex((guard, at) => !isSame(guard, open[at]));
    open = open.slice(0, shared === -1 ? home.length : shared);
    for (const { decision, outcome } of home.slice(open.length)) {
      const block: Block = { decision, outcome, entries: [] };
      (open.at(-1)?.entries ?? entries).push(block);
      open = [...open, block];
    }
    const step: Step = { ...(task && { task }), ...(returned && { returned }), guards: chain.slice(home.length) };
    (open.at(-1)?.entries ?? entries).push(step);
    places.set(id, open);
  }
  return { entries, places };
}

/** Moves out what cannot be seen from where it is used; says whether there was any. */
function pullOut(items: readonly Item[], places: Built["places"], depths: Map<string, number>): boolean {
  let hasMoved = false;
  for (const { id, uses, chain } of items) {
    const user = places.get(id) ?? [];
    for (const used of [...uses, ...chain.map(({ decision }) => decision)]) {
      const place = places.get(used) ?? [];
      const visible = place.findIndex((block, at) => block !== user[at]);
      if (visible === -1) continue;
      depths.set(used, visible);
      hasMoved = true;
    }
  }
  return hasMoved;
}

/** Never both in one run. */
function isExclusive(chain: readonly Guard[], outcomes: ReadonlyMap<string, string>): boolean {
  return chain.some(({ decision, outcome }) => (outcomes.get(decision) ?? outcome) !== outcome);
}

function isSame(a: Guard, b: Guard | undefined): boolean {
  return a.decision === b?.decision && a.outcome === b.outcome;
}
