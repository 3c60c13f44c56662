import { describe, expect, it } from "vitest";

import { createValidator, ToolBox } from "./tool-box.js";

const nested = (depth: number): Record<string, object> =>
  Object.fromEntries(
    Array.from({ length: depth }, (_, at) => {
      const next = { $ref: `#/$defs/d${at - 1}` };
      return [`d${at}`, at === 0 ? { type: "string" } : { allOf: [next, next] }];
    }),
  );

/** Schemas that take for ever on a short value. */
const ENDLESS: [string, object][] = [
  ["a pattern that goes back and forth", { properties: { a: { type: "string", pattern: "^(a+)+$" } } }],
  ["references that double at each step", { properties: { a: { $ref: "#/$defs/d59" } }, $defs: nested(60) }],
];
const args = { a: `${"a".repeat(60)}!` };

describe("a schema from outside", () => {
  it.each(ENDLESS)("with %s does not hold the host: the call is refused", (_, inputSchema) => {
    const box = new ToolBox([{ id: "x:y", description: "", inputSchema, execute: () => 1 }]);
    const problem = box.findProblem("x:y", args);
    expect(problem).toMatchObject({ code: "PML_INVALID_ARGUMENTS", details: { tool: "x:y" } });
    expect(problem?.message).toMatch(/x:y cannot be checked.*longer than/);
    expect(createValidator()(inputSchema, args, "The arguments")?.message).toMatch(/cannot be checked/);
  });

  it("that never ends by itself is refused as well", () => {
    const inputSchema = { $defs: { n: { allOf: [{ $ref: "#/$defs/n" }] } }, $ref: "#/$defs/n" };
    const box = new ToolBox([{ id: "x:y", description: "", inputSchema, execute: () => 1 }]);
    expect(box.findProblem("x:y", args)).toMatchObject({ code: "PML_INVALID_ARGUMENTS" });
  });

  it("that is honest says what is wrong, field by field", () => {
    const inputSchema = { properties: { when: { type: "string", format: "date", pattern: "^2" } }, required: ["who"] };
    const box = new ToolBox([{ id: "x:y", description: "", inputSchema, execute: () => 1 }]);
    const problem = box.findProblem("x:y", { when: "tomorrow" });
    expect(problem?.message).toMatch(/"who" is missing.*"when" must match/);
    expect(box.findProblem("x:y", { when: "2026-01-01", who: "me" })).toBeUndefined();
  });
});
