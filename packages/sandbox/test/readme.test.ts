import { readFileSync } from "node:fs";

import { DEFAULT_LIMITS, SANDBOX_ERROR_CODES } from "@pml/sandbox";
import { describe, expect, it } from "vitest";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const limits = [...readme.matchAll(/^\| `(\w+)` +\| ([\d ]+?)( MB)? +\| (?:`(\w+)`)?/gm)].map(
  ([, name, number, unit, code]) => ({
    name,
    value: Number(number?.replaceAll(" ", "")) * (unit === undefined ? 1 : 1024 * 1024),
    code,
  }),
);

describe("the README", () => {
  it("has every limit and its default", () => {
    const shown = Object.fromEntries(limits.map(({ name, value }) => [name, value]));
    expect(shown).toEqual(DEFAULT_LIMITS);
  });

  it("gives each limit a code that exists", () => {
    const codes = limits.flatMap(({ code }) => code ?? []);
    expect(codes).toHaveLength(limits.length - 1);
    expect(SANDBOX_ERROR_CODES).toEqual(expect.arrayContaining(codes));
  });
});
