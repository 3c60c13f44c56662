import { describe, expect, it } from "vitest";

import { StaticStructureBuilder } from "../src/index.js";
import { writeDown } from "./notation.js";
import { SNIPPETS, TABLES } from "./snippets/all.js";
import { CAPABILITIES, TOOLS } from "./tools.js";

describe.each(Object.entries(TABLES))("%s", (_, snippets) => {
  it.each(snippets)("%s", (_, code, expected) => {
    const lines = expected.split("\n").map((line) => line.trim());
    expect(writeDown(builder.build(code))).toEqual(lines);
  });
});

it("is a table of at least 120 snippets", () => {
  expect(SNIPPETS.length).toBeGreaterThanOrEqual(120);
});

const builder = new StaticStructureBuilder({ tools: TOOLS, capabilities: CAPABILITIES });
