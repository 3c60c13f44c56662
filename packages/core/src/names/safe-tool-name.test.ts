import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { toSafeToolName, toSafeToolNames } from "./safe-tool-name.js";

const SAFE = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/;

describe("a name for model APIs", () => {
  it.each([
    ["fs:read_json", "fs__read_json"],
    ["cap:fs:read_json", "cap__fs__read_json"],
    ["pml_discover", "pml_discover"],
    ["my-server:get-weather", "my-server__get-weather"],
  ])("of %s is %s", (name, safe) => {
    expect(toSafeToolName(name)).toBe(safe);
  });

  it.each([
    ["acme.shared:fs:read_json"],
    ["fs:read__json"],
    ["fs__read_json:"],
    ["_private"],
    ["7zip:list"],
    ["数据:读取"],
    [""],
    [" "],
    [`fs:${"very_long_".repeat(20)}name`],
    ["fs:a\0b"],
  ])("of %j is told apart by its hash", (name) => {
    expect(toSafeToolName(name)).toMatch(/^[a-zA-Z][a-zA-Z0-9_]*___[0-9a-f]{24}$/);
    expect(toSafeToolName(name)).toMatch(SAFE);
  });

  it("is always one that APIs take, and another for every name", () => {
    const nearMisses = fc.string({ unit: fc.constantFrom("a", "b", "_", ":", "-", ".", "1"), maxLength: 80 });
    fc.assert(
      fc.property(fc.uniqueArray(fc.oneof(nearMisses, fc.string({ unit: "binary" })), { maxLength: 40 }), (names) => {
        const back = toSafeToolNames(names);
        expect(back.size).toBe(names.length);
        for (const [safe, name] of back) {
          expect(safe).toMatch(SAFE);
          expect(toSafeToolName(name)).toBe(safe);
        }
      }),
    );
  });

  it("is left alone by being made safe again, unless it was shortened", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z][a-z0-9]{0,9}(_[a-z0-9]{1,5}){0,3}$/), (name) => {
        expect(toSafeToolName(name)).toBe(name);
      }),
    );
  });

  it("does not hang on which others there are", () => {
    const alone = toSafeToolName("fs:read.json");
    expect(toSafeToolNames(["fs:read_json", "fs:read.json", "fs.read:json"]).get(alone)).toBe("fs:read.json");
  });
});
