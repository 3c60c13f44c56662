import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { readStructure } from "./read-structure.js";
import { shorten, showValue } from "./shorten.js";

describe("a stored structure", () => {
  it("is read for what is drawn of it", () => {
    const path = { type: "literal", value: "a.json" };
    const to = { type: "parameter", parameterName: "order", path: ["email"] };
    const structure = {
      nodes: [
        { id: "n1", type: "task", tool: "fs:read", arguments: { path, to }, line: 2 },
        { id: "d1", type: "decision", kind: "if", condition: "late", outcomes: ["true", "false"] },
      ],
      edges: [
        { from: "n1", to: "d1", type: "sequence" },
        { from: "d1", to: "gone", type: "conditional" },
      ],
    };
    expect(readStructure(structure)).toEqual({
      nodes: [
        { id: "n1", type: "task", title: "fs:read", detail: 'path: "a.json", to: order.email', line: 2 },
        { id: "d1", type: "decision", title: "late", detail: "if", outcomes: ["true", "false"] },
      ],
      edges: [{ from: "n1", to: "d1", type: "sequence" }],
    });
  });

  it("may be anything: nothing throws, and whatever is no step is left out", () => {
    const parts = fc.array(fc.oneof(fc.jsonValue(), fc.record({ id: fc.string(), type: fc.constant("task") })));
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.record({ nodes: parts, edges: parts })), (value) => {
        for (const { type, id } of readStructure(value)?.nodes ?? [])
          expect([type, typeof id]).toEqual(["task", "string"]);
      }),
    );
  });

  it.each([
    ["nothing", undefined],
    ["a text", "nodes"],
    ["no steps", { nodes: [], edges: [] }],
    ["a step of no known type", { nodes: [{ id: "x", type: "bomb" }] }],
  ])("that is %s draws as nothing", (_, structure) => {
    expect(readStructure(structure)).toBeUndefined();
  });
});

describe("texts that are too long", () => {
  it("are cut, and not in the middle of a character", () => {
    expect(shorten("abc", 3)).toBe("abc");
    expect(shorten("abcd", 3)).toBe("ab…");
    expect(shorten("a😀b", 3)).toBe("a…");
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.integer({ min: 1, max: 20 }), (text, most) => {
        expect(shorten(text, most).length).toBeLessThanOrEqual(most);
      }),
    );
  });

  it("are values too", () => {
    expect(showValue(undefined, 10)).toBeUndefined();
    expect(showValue("x".repeat(1e6), 10)).toHaveLength(10);
    expect(showValue({ a: [1] }, 100)).toBe('{\n  "a": [\n    1\n  ]\n}');
    expect(showValue(10n, 100)).toBe("This cannot be shown.");
  });
});
