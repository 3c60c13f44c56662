import { existsSync, readdirSync, readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

const PACKAGE = new URL("../", import.meta.url);
const page = readFileSync(new URL("../../../docs/threat-model.md", import.meta.url), "utf8");
const rows = page.split("\n").filter((line) => line.startsWith("| ") && !/^\| (?:wall|attack|-)/.test(line));
const named = [...new Set([...page.matchAll(/`((?:src|test)\/[\w./-]+)`/g)].map((match) => match[1] ?? ""))];

describe("docs/threat-model.md", () => {
  it.each(named)("names tests that are there: %s", (path) => {
    expect(existsSync(new URL(`${path}.test.ts`, PACKAGE))).toBe(true);
  });

  it("ties every line to a test", () => {
    expect(rows.length).toBeGreaterThan(25);
    expect(rows.filter((row) => !/`(?:src|test)\/|the contract/.test(row))).toEqual([]);
  });

  it("leaves no file of escapes out", () => {
    const files = readdirSync(new URL("test/escape", PACKAGE)).map(
      (name) => `test/escape/${name.replace(".test.ts", "")}`,
    );
    expect(named).toEqual(expect.arrayContaining(files));
  });
});
