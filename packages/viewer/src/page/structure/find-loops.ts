import type { StructureView } from "../../structure.js";

export interface Loops {
  readonly ids: readonly string[];
  /** The innermost loop around each step; a loop's own head is in it. */
  readonly parents: ReadonlyMap<string, string>;
  /** The loop around each loop that is in one. */
  readonly outer: ReadonlyMap<string, string>;
  within(id: string): string | undefined;
  /** Nothing in its loop comes before it. */
  isEntry(id: string): boolean;
}

/** Which loop each step is in. A step that is said to be in several is in the innermost. */
export function findLoops({ nodes, edges }: StructureView): Loops {
  const ids = nodes.filter(({ type }) => type === "loop").map(({ id }) => id);
  const around = new Map<string, string[]>();
  for (const { from, to, type } of edges)
    if (type === "contains" && ids.includes(from) && from !== to) around.set(to, [...(around.get(to) ?? []), from]);
  const depths = new Map<string, number>();
  const depthOf = (id: string): number => {
    const known = depths.get(id);
    if (known !== undefined) return known;
    depths.set(id, 0);
    const depth = Math.max(0, ...(around.get(id) ?? []).map((loop) => 1 + depthOf(loop)));
    depths.set(id, depth);
    return depth;
  };
  const innermost = (id: string): string | undefined =>
    [...(around.get(id) ?? [])].sort((a, b) => depthOf(b) - depthOf(a))[0];
  const outer = new Map(ids.flatMap((id) => pair(id, innermost(id))).filter(([id]) => !isInItself(id, innermost)));
  const parents = new Map([
    ...nodes.filter(({ id }) => !ids.includes(id)).flatMap(({ id }) => pair(id, innermost(id))),
    ...ids.map((id): [string, string] => [id, id]),
  ]);
  const steps = edges.filter(({ type }) => type === "sequence" || type === "conditional");
  return {
    ids,
    parents,
    outer,
    within: (id) => parents.get(id),
    isEntry: (id) =>
      !steps.some(({ from, to }) => to === id && from !== id && (parents.get(from) ?? "") === (innermost(id) ?? "")),
  };
}

/** Loops that hold each other cannot be drawn; code has none, but a bundle may claim them. */
function isInItself(id: string, innermost: (id: string) => string | undefined): boolean {
  const seen = new Set<string>();
  for (let at = innermost(id); at !== undefined && !seen.has(at); at = innermost(at)) {
    if (at === id) return true;
    seen.add(at);
  }
  return false;
}

function pair(id: string, loop: string | undefined): [string, string][] {
  return loop === undefined ? [] : [[id, loop]];
}
