import type { Import } from "./project.js";

/** Each circle of imports once, as the paths along it, the first repeated at the end. */
export function findCycles(imports: Import[]): string[][] {
  const next = groupTargets(imports);
  const finished = new Set<string>();
  const cycles: string[][] = [];
  const visit = (path: string, trail: string[]): void => {
    if (finished.has(path)) return;
    const seenAt = trail.indexOf(path);
    if (seenAt !== -1) {
      cycles.push([...trail.slice(seenAt), path]);
      return;
    }
    for (const target of next.get(path) ?? []) visit(target, [...trail, path]);
    finished.add(path);
  };
  for (const path of next.keys()) visit(path, []);
  return cycles;
}

function groupTargets(imports: Import[]): Map<string, string[]> {
  const next = new Map<string, string[]>();
  for (const { from, target } of imports)
    if (target) next.set(from.path, [...(next.get(from.path) ?? []), target.path]);
  return next;
}
