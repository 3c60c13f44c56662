import { least, most, type Place, SIDE } from "./place.js";

const GAP = 60;

/** Rows of what is joined to nothing, as wide as the rest and below it. */
export function placeIdle(idle: readonly number[], placed: ReadonlyMap<number, Place>): [number, Place][] {
  const ys = [...placed.values()].map(({ y }) => y);
  const xs = [...placed.values()].map(({ x }) => x);
  const [left, right] = placed.size < 2 ? [-SIDE / 2, SIDE / 2] : [least(xs), most(xs)];
  const top = placed.size === 0 ? 0 : most(ys) + 1.5 * GAP;
  const width = Math.max(right - left, SIDE / 2);
  const columns = Math.max(1, Math.floor(width / GAP), Math.ceil(Math.sqrt(idle.length * 2)));
  const gap = Math.min(GAP, width / columns);
  const start = (left + right) / 2 - ((Math.min(columns, idle.length) - 1) * gap) / 2;
  return idle.map((index, at) => [
    index,
    { x: round(start + (at % columns) * gap), y: round(top + Math.floor(at / columns) * gap) },
  ]);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
