import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { nameTools } from "./tool-ids.js";

describe("names of tools", () => {
  it.each<[string[], string[]]>([
    [
      ["read_file", "get-env", "a.b/c"],
      ["read_file", "get-env", "a.b/c"],
    ],
    [["read file"], ["read_file"]],
    [
      ["read file", "read_file"],
      ["read_file_1214148e", "read_file"],
    ],
    [
      ["read file", "read_file", "read_file_1214148e"],
      ["read_file_1214148e_", "read_file", "read_file_1214148e"],
    ],
    [
      ["then", "__proto__", "constructor"],
      ["then_", "__proto___", "constructor_"],
    ],
    [
      ["cap", "code", "dns"],
      ["cap_", "code_", "dns_"],
    ],
    [
      ["a:b", "a;b"],
      ["a_b_6783a31e", "a_b_5719af18"],
    ],
    [[""], ["_"]],
    [["日本語"], ["日本語"]],
  ])("%j become %j", (names, expected) => {
    const ids = nameTools(names);
    expect(names.map((name) => ids.get(name))).toEqual(expected);
  });

  it("are as many as there were, and can be part of an id", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ unit: "grapheme" }), { maxLength: 20 }), (names) => {
        const ids = [...nameTools(names).values()];
        expect(new Set(ids).size).toBe(names.length);
        for (const id of ids) expect(id).toMatch(/^[^:\s]+$/);
      }),
    );
  });

  it("do not depend on the order, so that what was learned of a tool stays true", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ maxLength: 3 }), { maxLength: 8 }), (names) => {
        expect(new Map([...nameTools(names)].sort())).toEqual(new Map([...nameTools([...names].reverse())].sort()));
      }),
    );
  });
});
