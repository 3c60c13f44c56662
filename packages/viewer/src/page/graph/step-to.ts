import type { Scene, Shown } from "./scene.js";

export type Direction = "left" | "right" | "up" | "down";

const AHEAD: Readonly<Record<Direction, readonly [number, number]>> = {
  left: [-1, 0],
  right: [1, 0],
  up: [0, -1],
  down: [0, 1],
};

/** Sideways counts more than ahead, so that an arrow key goes where it points. */
const SIDEWAYS = 2.2;

/** The next node that way, for the arrow keys; from nowhere, the one that says most. */
export function stepTo(
  { nodes, byWeight }: Scene,
  shown: Shown,
  { from, direction }: { from: number | undefined; direction: Direction },
): number | undefined {
  const start = from === undefined ? undefined : nodes[from];
  if (start === undefined) return byWeight.find((index) => shown.nodes[index]);
  const [dx, dy] = AHEAD[direction];
  let best: { index: number; cost: number } | undefined;
  for (const [index, { x, y }] of nodes.entries()) {
    if (index === from || shown.nodes[index] !== true) continue;
    const ahead = (x - start.x) * dx + (y - start.y) * dy;
    const aside = Math.abs((x - start.x) * dy) + Math.abs((y - start.y) * dx);
    const cost = ahead + SIDEWAYS * aside;
    if (ahead > 0 && aside <= 1.5 * ahead && cost < (best?.cost ?? Infinity)) best = { index, cost };
  }
  return best?.index;
}
