import { expect, it } from "vitest";

import { toJson } from "./json-answer.js";

it.each<[unknown, unknown]>([
  [undefined, null],
  [10n, "10"],
  [Number.NaN, "NaN"],
  [new Date(0), "1970-01-01T00:00:00.000Z"],
  [new Map([["a", new Set([1n])]]), [["a", ["1"]]]],
  [{ a: undefined, b: [undefined, null] }, { b: [null, null] }],
])("%o is said as %j", (value, expected) => {
  expect(toJson(value)).toEqual(expected);
});
