import type { Arguments, ArgumentValue, Guard, LoopNode, StaticStructure, StructureNode } from "@pml/analyzer";

/** A call that code may make, as far as it matters for knowing its input before it is made. */
export interface PlanStep {
  readonly id: string;
  /** `server:name`; `cap:name` for a capability, `code:…` for an operation. */
  readonly tool: string;
  /** Absent where the input is put together from parts without names. */
  readonly input: ArgumentValue | undefined;
  /** It is reached if one of these decisions went this way; by all ways where there are none. */
  readonly when: readonly Guard[];
  /** Around it, the outermost first. */
  readonly loops: readonly string[];
  /** All that control may have come through when it gets here. */
  readonly before: ReadonlySet<string>;
}

export interface PlanLoop {
  readonly id: string;
  /** What it walks over, one after the other; absent for other loops. */
  readonly list: ArgumentValue | undefined;
  /** Everything inside, in loops inside too. */
  readonly holds: ReadonlySet<string>;
}

/** What a piece of code, or a DAG, may call. */
export interface Plan {
  readonly steps: ReadonlyMap<string, PlanStep>;
  readonly loops: ReadonlyMap<string, PlanLoop>;
  /** Ways that are taken or not while it runs. */
  readonly decisions: ReadonlySet<string>;
}

/** Loops whose turns come one after the other, with one element each. */
const WALKS: ReadonlySet<LoopNode["kind"]> = new Set(["for-of", "callback"]);

export function planStructure({ nodes, edges }: StaticStructure): Plan {
  const inside = new Map<string, string>();
  const comesFrom = new Map<string, string[]>();
  for (const { from, to, type } of edges) {
    if (type === "contains") inside.set(to, from);
    if (type !== "provides") comesFrom.set(to, [...(comesFrom.get(to) ?? []), from]);
  }
  const holds = new Map<string, Set<string>>();
  for (const { id } of nodes)
    for (const loop of listAround(id, inside)) holds.set(loop, (holds.get(loop) ?? new Set()).add(id));
  const steps = nodes.flatMap((node): PlanStep[] => {
    const call = describeCall(node);
    if (call === undefined) return [];
    const before = listBefore(node.id, comesFrom, holds);
    return [{ ...call, id: node.id, when: node.when ?? [], loops: listAround(node.id, inside).reverse(), before }];
  });
  const loops = nodes.flatMap((node) => (node.type === "loop" ? [describeLoop(node, holds)] : []));
  return {
    steps: byId(steps),
    loops: byId(loops),
    decisions: new Set(nodes.flatMap(({ id, type }) => (type === "decision" ? [id] : []))),
  };
}

function describeCall(node: StructureNode): Pick<PlanStep, "tool" | "input"> | undefined {
  if (node.type !== "task" && node.type !== "capability") return undefined;
  const tool = node.type === "task" ? node.tool : `cap:${node.capability}`;
  return { tool, input: joinInput(node.arguments, node.spread ?? []) };
}

/** One value for fields and what is spread among them. */
function joinInput(fields: Arguments, spread: readonly ArgumentValue[]): ArgumentValue | undefined {
  if (spread.length === 0) return { type: "expression", expression: "", dependsOn: [], parameters: [], fields };
  return spread.length === 1 && Object.keys(fields).length === 0 ? spread[0] : undefined;
}

function describeLoop({ id, kind, over, concurrent }: LoopNode, holds: ReadonlyMap<string, Set<string>>): PlanLoop {
  const isWalk = WALKS.has(kind) && concurrent !== true;
  return { id, list: isWalk ? over : undefined, holds: holds.get(id) ?? new Set() };
}

/** The loops around a node, the innermost first. */
function listAround(id: string, inside: ReadonlyMap<string, string>): string[] {
  const around: string[] = [];
  for (let loop = inside.get(id); loop !== undefined; loop = inside.get(loop)) around.push(loop);
  return around;
}

/** Of a loop that was passed, all that is in it was passed. */
function listBefore(
  id: string,
  comesFrom: ReadonlyMap<string, readonly string[]>,
  holds: ReadonlyMap<string, ReadonlySet<string>>,
): Set<string> {
  const before = new Set<string>();
  const waiting = [...(comesFrom.get(id) ?? [])];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (before.has(next)) continue;
    before.add(next);
    waiting.push(...(comesFrom.get(next) ?? []));
    const inner = holds.get(next);
    if (inner !== undefined && !inner.has(id)) for (const each of inner) before.add(each);
  }
  return before;
}

function byId<Thing extends { readonly id: string }>(things: readonly Thing[]): Map<string, Thing> {
  return new Map(things.map((thing) => [thing.id, thing]));
}
