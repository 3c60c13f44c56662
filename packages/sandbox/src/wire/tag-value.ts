import { types } from "node:util";

import { describeError } from "./describe-error.js";

/** The key that marks what JSON has no word for. A plain object that has it as a key of its own is wrapped. */
export const TAG = "$type";

/** A copy of surveyed data in which everything is JSON: `undefined` is `{"$type": "undefined"}`, and so on. */
export function tagValue(value: unknown): unknown {
  switch (typeof value) {
    case "undefined":
      return { [TAG]: "undefined" };
    case "bigint":
      // Hexadecimal, since reading a long decimal takes more than linear time.
      return { [TAG]: "bigint", value: value < 0n ? `-${(-value).toString(16)}` : value.toString(16) };
    case "number":
      if (Object.is(value, -0)) return { [TAG]: "number", value: "-0" };
      return Number.isFinite(value) ? value : { [TAG]: "number", value: String(value) };
    case "object":
      return value === null ? null : tagObject(value);
    default:
      return value;
  }
}

function tagObject(value: object): unknown {
  if (Array.isArray(value)) return tagArray(value);
  if (types.isDate(value)) return { [TAG]: "Date", value: Date.prototype.getTime.call(value) };
  if (types.isMap(value)) return { [TAG]: "Map", value: [...Map.prototype.entries.call(value)].map(tagEntry) };
  if (types.isSet(value)) return { [TAG]: "Set", value: [...Set.prototype.values.call(value)].map(tagValue) };
  if (types.isNativeError(value)) return { [TAG]: "Error", value: describeError(value) };
  const record = tagRecord(value as Record<string, unknown>);
  return Object.hasOwn(value, TAG) ? { [TAG]: "Object", value: record } : record;
}

/** A hole is `undefined`, and not what the list's prototype has there. */
function tagArray(value: readonly unknown[]): unknown[] {
  return Array.from({ length: value.length }, (_, index) =>
    tagValue(Object.hasOwn(value, index) ? value[index] : undefined),
  );
}

function tagEntry([key, item]: [unknown, unknown]): [unknown, unknown] {
  return [tagValue(key), tagValue(item)];
}

function tagRecord(value: Record<string, unknown>): Record<string, unknown> {
  const record: Record<string, unknown> = Object.create(null);
  for (const key of Object.keys(value)) record[key] = tagValue(value[key]);
  return record;
}
