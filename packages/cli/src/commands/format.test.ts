import { expect, it } from "vitest";

import { formatBytes, formatDuration, formatRate } from "./format.js";

it.each([
  [formatBytes(0), "0 B"],
  [formatBytes(999), "999 B"],
  [formatBytes(1500), "1.5 kB"],
  [formatBytes(41_000_000), "41 MB"],
  [formatDuration(12.4), "12 ms"],
  [formatDuration(3400), "3.4 s"],
  [formatDuration(undefined), ""],
  [formatRate(0.934), "93 %"],
  [formatRate(undefined), ""],
])("says %j", (said, expected) => {
  expect(said).toBe(expected);
});
