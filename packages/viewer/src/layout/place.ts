export interface Place {
  readonly x: number;
  readonly y: number;
}

/** Places lie in a square of this size around the middle, unless there is more below it. */
export const SIDE = 1000;

/** Turned so that they reach farthest from left to right, as screens do. */
export function lieDown(places: readonly (readonly [number, Place])[]): [number, Place][] {
  const [middleX, middleY] = [mean(places.map(([, { x }]) => x)), mean(places.map(([, { y }]) => y))];
  const sum = (of: (x: number, y: number) => number): number =>
    places.reduce((total, [, { x, y }]) => total + of(x - middleX, y - middleY), 0);
  const angle = Math.atan2(2 * sum((x, y) => x * y), sum((x) => x * x) - sum((_, y) => y * y)) / 2;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return places.map(([index, { x, y }]) => {
    const [dx, dy] = [x - middleX, y - middleY];
    return [index, { x: dx * cos + dy * sin, y: dy * cos - dx * sin }];
  });
}

function mean(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0) / Math.max(1, values.length);
}

/** Moved and scaled into the square, to a tenth: more digits would only make the page larger. */
export function fitInto(places: readonly (readonly [number, Place])[]): [number, Place][] {
  const [xs, ys] = [places.map(([, { x }]) => x), places.map(([, { y }]) => y)];
  const [left, right, top, bottom] = [least(xs), most(xs), least(ys), most(ys)];
  const scale = SIDE / Math.max(right - left, bottom - top, 1e-9);
  const put = (value: number, middle: number): number => Math.round((value - middle) * scale * 10) / 10;
  if (places.length === 1) return places.map(([index]) => [index, { x: 0, y: 0 }]);
  return places.map(([index, { x, y }]) => [index, { x: put(x, (left + right) / 2), y: put(y, (top + bottom) / 2) }]);
}

export function least(values: readonly number[]): number {
  return values.reduce((a, b) => Math.min(a, b), Infinity);
}

export function most(values: readonly number[]): number {
  return values.reduce((a, b) => Math.max(a, b), -Infinity);
}
