import type { Place } from "./place.js";

/** Turning by this, points on a spiral cover a disk evenly (Vogel 1979). */
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));
const GAP = 10;

interface Link {
  readonly from: number;
  readonly to: number;
}

/** Where nodes stand before they are pulled: each community in a disk of its own, what is joined near to each other. */
export function seedPlaces(nodes: readonly { readonly community?: number }[], links: readonly Link[]): Place[] {
  const groups = new Map<string, number[]>();
  for (const { index, part } of walk(nodes.length, links)) {
    const key = `${nodes[index]?.community ?? `part ${part}`}`;
    const group = groups.get(key);
    if (group) group.push(index);
    else groups.set(key, [index]);
  }
  const ordered = [...groups.values()].sort((a, b) => b.length - a.length || (a[0] ?? 0) - (b[0] ?? 0));
  const room = GAP * Math.sqrt(nodes.length);
  const places: Place[] = [];
  for (const [rank, members] of ordered.entries()) {
    const middle = spiral(rank, room / Math.sqrt(ordered.length));
    for (const [turn, index] of members.entries()) {
      const { x, y } = spiral(turn, GAP / 2);
      places[index] = { x: middle.x + x, y: middle.y + y };
    }
  }
  return places;
}

/** Every node once, each after one that it is joined to; `part` is the same for what hangs together. */
function walk(count: number, links: readonly Link[]): { index: number; part: number }[] {
  const joined = Array.from({ length: count }, (): number[] => []);
  for (const { from, to } of links) {
    joined[from]?.push(to);
    joined[to]?.push(from);
  }
  const seen = new Set<number>();
  const found: { index: number; part: number }[] = [];
  for (let start = 0; start < count; start++) {
    if (seen.has(start)) continue;
    seen.add(start);
    found.push({ index: start, part: start });
    for (let at = found.length - 1; at < found.length; at++) {
      for (const next of joined[found[at]?.index ?? 0] ?? []) {
        if (seen.has(next)) continue;
        seen.add(next);
        found.push({ index: next, part: start });
      }
    }
  }
  return found;
}

function spiral(turn: number, gap: number): Place {
  const distance = gap * Math.sqrt(turn + 0.5);
  return { x: distance * Math.cos(turn * GOLDEN_ANGLE), y: distance * Math.sin(turn * GOLDEN_ANGLE) };
}
