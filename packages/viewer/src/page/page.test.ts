import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { formatDuration, formatTimes } from "./format.js";
import { arrangeTimeline } from "./parts/timeline.js";
import { tokenise } from "./parts/tokenise.js";
import { readRoute, writeRoute } from "./route.js";
import { createSearchIndex } from "./search/search-index.js";

describe("an address", () => {
  it("leads back to where it was written", () => {
    fc.assert(
      fc.property(fc.constantFrom("capability", "tool"), fc.string({ unit: "grapheme", minLength: 1 }), (page, id) => {
        const route = { page, id } as const;
        expect(readRoute(writeRoute(route as never))).toEqual(route);
      }),
    );
  });

  it.each([
    ["nothing", "", { page: "map" }],
    ["nonsense", "#/nonsense/x", { page: "map" }],
    ["a page without what it is of", "#/tool/", { page: "map" }],
    ["what cannot be decoded", "#/tool/%E0%A4%A", { page: "map" }],
    ["a node on the map", "#/map/fs%3Aread", { page: "map", at: "fs:read" }],
    ["a script", "#/tool/javascript:alert(1)", { page: "tool", id: "javascript:alert(1)" }],
  ])("of %s is understood", (_, hash, route) => {
    expect(readRoute(hash)).toEqual(route);
  });
});

describe("search", () => {
  const search = createSearchIndex([
    { found: 1, names: ["fs:read_json"], words: "read the settings of the app" },
    { found: 2, names: ["fs:read"], words: "Read a file as text" },
    { found: 3, names: ["mail:send", "post:mail"], words: "write to all customers" },
    { found: 4, names: ["übersicht:zeigen"], words: "Übersicht über Aufträge" },
  ]);

  it.each([
    ["an exact name before what begins so", "fs:read", [2, 1]],
    ["the beginning of a part of a name", "json", [1]],
    ["words of an intent", "settings app", [1]],
    ["all of the words, in any order", "customers write", [3]],
    ["an old name", "post:mail", [3]],
    ["letters of any language, in any case", "ÜBERS", [4]],
    ["nothing that lacks one of the words", "settings customers", []],
    ["nothing for nothing", "  ", []],
  ])("finds %s", (_, query, found) => {
    expect(search(query, 10)).toEqual(found);
  });
});

describe("code in colour", () => {
  it("is the same code", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (code) => {
        expect(
          tokenise(code)
            .map(({ text }) => text)
            .join(""),
        ).toBe(code);
      }),
    );
  });

  it("tells its parts", () => {
    const kinds = tokenise(`const a = mcp.fs.read("x"); // 1`).filter(({ kind }) => kind !== "plain");
    expect(kinds.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
      "keyword const",
      "call mcp",
      'text "x"',
      "comment // 1",
    ]);
  });

  it("takes no longer for hostile code", () => {
    const hostile = `${'"\\'.repeat(50_000)}${"/*".repeat(50_000)}${"`${".repeat(50_000)}`;
    expect(tokenise(hostile).length).toBeGreaterThan(0);
  });
});

const task = (id: string, startMs: number, durationMs: number, parentId?: string): never =>
  ({ id, tool: "a:b", success: true, startMs, durationMs, ...(parentId !== undefined && { parentId }) }) as never;

describe("a timeline", () => {
  it("has what ran at once under each other, and calls within calls further in", () => {
    const { bars, totalMs } = arrangeTimeline([
      task("c", 10, 90),
      task("a", 0, 10),
      task("c/x", 20, 30, "c"),
      task("b", 0, 100),
    ]);
    expect(totalMs).toBe(100);
    expect(bars.map(({ task: { id }, depth, start, length }) => [id, depth, percent(start), percent(length)])).toEqual([
      ["b", 0, 0, 100],
      ["a", 0, 0, 10],
      ["c", 0, 10, 90],
      ["c/x", 1, 20, 30],
    ]);
  });

  it("stays within its track, whatever the times", () => {
    const times = fc.double({ min: 0, max: 1e9, noNaN: true });
    fc.assert(
      fc.property(fc.array(fc.tuple(times, times)), (given) => {
        const { bars } = arrangeTimeline(given.map(([start, length], at) => task(`${at}`, start, length)));
        for (const { start, length } of bars) expect(start >= 0 && start + length <= 1 + 1e-9).toBe(true);
      }),
    );
  });
});

function percent(share: number): number {
  return Math.round(share * 100);
}

describe("figures", () => {
  it.each([
    [0.42, "0.4 ms"],
    [38.4, "38 ms"],
    [1240, "1.2 s"],
    [125_000, "2 min 5 s"],
    [Number.NaN, "–"],
  ])("say %s ms as %s", (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });

  it("count as people do", () => {
    expect([1, 2, 3, 1200].map(formatTimes)).toEqual(["once", "twice", "3 times", "1,200 times"]);
  });
});
