import { describe, expect, it } from "vitest";

import { runWithin } from "./run-within.js";

describe("what may take for ever", () => {
  it.each<[string, () => unknown]>([
    ["a loop", () => loop()],
    ["a regular expression", () => /^(a+)+$/.test(`${"a".repeat(60)}!`)],
  ])("ends in time: %s", (_, run) => {
    expect(() => runWithin(50, run)).toThrow("it took longer than 50 ms");
  });

  it("gives what it gives, and throws what it throws", () => {
    const value = {};
    expect(runWithin(1000, () => value)).toBe(value);
    expect(() => runWithin(1000, () => raise())).toThrow(RangeError);
  });
});

function loop(): void {
  for (;;);
}

function raise(): never {
  throw new RangeError("too deep");
}
