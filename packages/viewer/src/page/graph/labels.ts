import { type Camera, radiusOf, toScreen } from "./camera.js";
import type { Scene, Shown } from "./scene.js";

export interface Label {
  index: number;
  text: string;
  x: number;
  y: number;
}

export interface LabelOptions {
  shown: Shown;
  /** Nodes to be named before all others. */
  first: readonly number[];
  /** Where something else is written. */
  blocked: readonly { x: number; y: number; width: number }[];
  /** These and no others. */
  only: boolean;
  measure: (text: string) => number;
}

/** More cannot be read; and looking for room for more takes longer than a frame has. */
const [MOST_LABELS, MOST_TRIES] = [80, 900];
const [CELL, LINE, GAP] = [8, 14, 5];
const LONGEST = 34;
/** More than any window has. */
const ROWS = 4096;
/** So many names may lie on others, if they must be there. */
const MOST_FORCED = 30;

/** Names that lie neither on each other nor on nodes, of what says most first; and of those that must have one. */
export function placeLabels(scene: Scene, camera: Camera, options: LabelOptions): Label[] {
  const nearest = listNear(scene, camera, options.shown).slice(0, MOST_TRIES);
  const must = new Set(options.first);
  const taken = takeFirst(nearest, must, options);
  const byIndex = new Map(nearest.map((each) => [each.index, each]));
  const first = options.first.flatMap((index) => byIndex.get(index) ?? []);
  const others = options.only ? [] : nearest.filter(({ index }) => !must.has(index));
  const labels: Label[] = [];
  for (const near of [...first, ...others]) {
    if (labels.length >= MOST_LABELS) break;
    const text = shorten(scene.nodes[near.index]?.label ?? "");
    const spots = listSpots(near, options.measure(text)).filter((spot) => isInside(spot, camera));
    const isForced = must.has(near.index) && must.size < MOST_FORCED;
    const spot = spots.find((each) => isFree(taken, each)) ?? (isForced ? spots[0] : undefined);
    if (spot === undefined) continue;
    take(taken, spot);
    labels.push({ index: near.index, text, x: spot.left, y: spot.top + LINE - 3 });
  }
  return labels;
}

/** Where nodes and other words are, nothing is written. Nodes that step back do not count. */
function takeFirst(nearest: readonly Near[], must: ReadonlySet<number>, { only, blocked }: LabelOptions): Set<number> {
  const taken = new Set<number>();
  for (const { index, x, y, radius } of nearest)
    if (!only || must.has(index))
      take(taken, { left: x - radius, top: y - radius, width: 2 * radius, height: 2 * radius });
  for (const { x, y, width } of blocked) take(taken, { left: x, top: y - LINE, width, height: LINE });
  return taken;
}

function shorten(label: string): string {
  return label.length > LONGEST ? `${label.slice(0, LONGEST - 1)}…` : label;
}

function isInside({ left, width }: Area, camera: Camera): boolean {
  return left > 2 && left + width < camera.width - 2;
}

interface Near {
  index: number;
  x: number;
  y: number;
  radius: number;
}

/** The nodes in the window, what says most first. */
function listNear({ nodes, byWeight }: Scene, camera: Camera, shown: Shown): Near[] {
  const near: Near[] = [];
  for (const index of byWeight) {
    const node = nodes[index];
    if (node === undefined || shown.nodes[index] !== true) continue;
    const { x, y } = toScreen(camera, node);
    if (x > 0 && y > 0 && x < camera.width && y < camera.height)
      near.push({ index, x, y, radius: radiusOf(camera, node.size) });
  }
  return near;
}

interface Area {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Right of the node, left of it, below and above. */
function listSpots({ x, y, radius }: Omit<Near, "index">, width: number): Area[] {
  const size = { width, height: LINE };
  return [
    { left: x + radius + GAP, top: y - LINE / 2, ...size },
    { left: x - radius - GAP - width, top: y - LINE / 2, ...size },
    { left: x - width / 2, top: y + radius + 2, ...size },
    { left: x - width / 2, top: y - radius - LINE - 2, ...size },
  ];
}

function isFree(taken: ReadonlySet<number>, area: Area): boolean {
  return listCells(area).every((cell) => !taken.has(cell));
}

function take(taken: Set<number>, area: Area): void {
  for (const cell of listCells(area)) taken.add(cell);
}

/** Numbers of the squares of the window that it touches. */
function listCells({ left, top, width, height }: Area): number[] {
  const cells: number[] = [];
  for (let column = Math.floor(left / CELL); column <= Math.floor((left + width) / CELL); column++)
    for (let row = Math.floor(top / CELL); row <= Math.floor((top + height) / CELL); row++)
      cells.push(column * ROWS + row);
  return cells;
}
