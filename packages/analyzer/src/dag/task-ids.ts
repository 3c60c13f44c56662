import { type DagValue, isFrom, isLiteral, isObject } from "./dag.js";

/** `t1` is task 0. */
export function numberOf(id: string): number {
  return Number(id.slice(1)) - 1;
}

export function idOf(number: number): string {
  return `t${number + 1}`;
}

/** The task that is being written, which has no id yet. */
export const SELF = "";

export function withSelf(value: DagValue, id: string): DagValue {
  if (isFrom(value)) return value.$from === SELF ? { ...value, $from: id } : value;
  if (isLiteral(value)) return value;
  if (Array.isArray(value)) return value.map((item) => withSelf(item, id));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, withSelf(field, id)]));
}
