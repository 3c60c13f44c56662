const MOST_VALUES = 2000;
const DEEPEST = 12;
const SHORTEST_TEXT = 3;
const SMALLEST_NUMBER = 10;

/** Values that two calls would hardly share by accident: `true`, `0`, `""` and small numbers prove nothing. */
export function isTelling(value: unknown): value is string | number {
  if (typeof value === "string") return value.trim().length >= SHORTEST_TEXT;
  return (
    typeof value === "number" &&
    Number.isFinite(value) &&
    (Math.abs(value) > SMALLEST_NUMBER || !Number.isInteger(value))
  );
}

/** The telling values inside a value, as text, so that an id is itself whether it is written as a number or not. */
export function listTellingValues(value: unknown): Set<string> {
  const found = new Set<string>();
  const waiting: { value: unknown; depth: number }[] = [{ value, depth: 0 }];
  for (let at = 0; at < waiting.length && at < MOST_VALUES; at++) {
    const { value: each, depth } = waiting[at] ?? { value: undefined, depth: 0 };
    if (isTelling(each)) found.add(String(each));
    if (typeof each !== "object" || each === null || depth >= DEEPEST) continue;
    for (const inner of Object.values(each)) waiting.push({ value: inner, depth: depth + 1 });
  }
  return found;
}
