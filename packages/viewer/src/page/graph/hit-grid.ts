import { type Camera, type Point, radiusOf, scaleOf, toScene } from "./camera.js";
import type { Scene, Shown } from "./scene.js";

export type HitGrid = (camera: Camera, point: Point, shown: Shown) => number | undefined;

/** A finger, and a hand that shakes, hit beside small things. */
const REACH = 6;

/** Finds the node at a point of the window without going through all of them. */
export function createHitGrid({ nodes, box }: Scene): HitGrid {
  const side = Math.max(box.right - box.left, box.bottom - box.top, 1) / Math.max(1, Math.sqrt(nodes.length));
  const largest = nodes.reduce((most, { size }) => Math.max(most, size), 0);
  const cells = new Map<string, number[]>();
  const cellOf = (value: number): number => Math.floor(value / side);
  for (const [index, { x, y }] of nodes.entries()) {
    const key = `${cellOf(x)} ${cellOf(y)}`;
    const cell = cells.get(key);
    if (cell) cell.push(index);
    else cells.set(key, [index]);
  }
  return (camera, point, shown) => {
    const { x, y } = toScene(camera, point);
    const scale = scaleOf(camera);
    const reach = (radiusOf(camera, largest) + REACH) / scale;
    let best: { index: number; distance: number } | undefined;
    for (let column = cellOf(x - reach); column <= cellOf(x + reach); column++)
      for (let row = cellOf(y - reach); row <= cellOf(y + reach); row++)
        for (const index of cells.get(`${column} ${row}`) ?? []) {
          const node = nodes[index];
          if (node === undefined || shown.nodes[index] !== true) continue;
          const distance = Math.hypot(node.x - x, node.y - y) * scale;
          if (distance <= radiusOf(camera, node.size) + REACH && distance < (best?.distance ?? Infinity))
            best = { index, distance };
        }
    return best?.index;
  };
}
