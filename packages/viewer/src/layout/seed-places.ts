import type { Place } from "./place.js";

/** Turning by this, points on a spiral cover a disk evenly (Vogel 1979). */
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));
const GAP = 10;

/** Where nodes stand before they are pulled: each community in a disk of its own, the disks in one large disk. */
export function seedPlaces(nodes: readonly { readonly community?: number }[]): Place[] {
  const groups = new Map<number, number[]>();
  for (const [index, { community = -1 }] of nodes.entries())
    groups.set(community, [...(groups.get(community) ?? []), index]);
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

function spiral(turn: number, gap: number): Place {
  const distance = gap * Math.sqrt(turn + 0.5);
  return { x: distance * Math.cos(turn * GOLDEN_ANGLE), y: distance * Math.sin(turn * GOLDEN_ANGLE) };
}
