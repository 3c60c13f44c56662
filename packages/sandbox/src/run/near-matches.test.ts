import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { listNearMatches } from "./near-matches.js";

const IDS = ["fs:read", "fs:read_lines", "fs:write", "http:get", "git:read"];

describe("near matches", () => {
  it.each([
    ["fs:raed", ["fs:read"]],
    ["files:read", ["fs:read", "git:read"]],
    ["http:gte", ["http:get"]],
    ["db:query", []],
  ])("of %s are %j", (name, expected) => {
    expect(listNearMatches(name, IDS)).toEqual(expected);
  });

  it("are at most three, and from the list", () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string()), (name, names) => {
        const matches = listNearMatches(name, names);
        expect(matches.length).toBeLessThanOrEqual(3);
        expect(names).toEqual(expect.arrayContaining(matches));
      }),
    );
  });

  it("of a name that is there begin with that name", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1, maxLength: 20 }), { minLength: 1 }), (names) => {
        const [name = ""] = names;
        expect(listNearMatches(name, names)[0]?.toLowerCase()).toBe(name.toLowerCase());
      }),
    );
  });

  it("are not looked for where a name is absurdly long", () => {
    expect(listNearMatches("x".repeat(1e6), ["x".repeat(1e6)])).toEqual([]);
  });
});
