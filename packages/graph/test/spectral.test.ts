import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { clusterCapabilities } from "../src/engine/spectral.js";

describe("clusterCapabilities", () => {
  it("tells groups apart that share a tool with each other, but more within", () => {
    const labels = clusterCapabilities([...group("a"), ...group("b"), ...group("c")]);
    const groups = [labels.slice(0, 6), labels.slice(6, 12), labels.slice(12)];
    for (const each of groups) expect(new Set(each).size).toBe(1);
    expect(new Set(labels).size).toBe(3);
  });

  it.each([
    ["none", []],
    ["one", [{ capability: "capability:1", tools: ["a:1"] }]],
  ])("has nothing to tell apart in %s", (_, hyperedges) => {
    expect(clusterCapabilities(hyperedges)).toEqual(hyperedges.map(() => 0));
  });

  it("gives each a label, and the same tools the same one", () => {
    const tools = fc.uniqueArray(fc.constantFrom("a:1", "b:2", "c:3", "__proto__", "e:5"), { minLength: 1 });
    fc.assert(
      fc.property(fc.array(tools, { minLength: 1, maxLength: 20 }), (spans) => {
        const labels = clusterCapabilities(spans.map((each, at) => ({ capability: `capability:${at}`, tools: each })));
        expect(labels).toHaveLength(spans.length);
        for (const [at, label] of labels.entries()) {
          expect(Number.isInteger(label)).toBe(true);
          const same = spans.findIndex((each) => [...each].sort().join() === [...(spans[at] ?? [])].sort().join());
          expect(labels[same]).toBe(label);
        }
      }),
    );
  });
});

function group(name: string): { capability: string; tools: string[] }[] {
  return Array.from({ length: 6 }, (_, at) => ({
    capability: `capability:${name}${at}`,
    tools: [`${name}:1`, `${name}:2`, `${name}:3`, ...(at === 0 ? ["log:write"] : [])],
  }));
}
