import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { Candidate } from "./candidate.js";
import { FlowMemory } from "./flow-memory.js";
import { NextMemory, type PastRun } from "./next-memory.js";

const schema = (name: string) => ({ type: "object", properties: { [name]: { type: "string" } }, required: [name] });
const tools = ["fetch", "read", "draw", "send"].map((id, at) => ({
  id,
  name: id,
  description: `${id} something`,
  vectors: [Float32Array.from({ length: 4 }, (_, index) => (index === at ? 1 : 0))],
}));
const typed = tools.map((tool) => ({ ...tool, inputSchema: schema("picture"), outputSchema: schema("picture") }));

function ask(text: string, clauses: readonly string[] = [text]): Pick<PastRun, "text" | "vector" | "clauses"> {
  const vector = Float32Array.from(tools, ({ id }) => (text.includes(id) ? 0.5 : 0));
  return { text, vector, clauses: clauses.map((clause) => ({ text: clause })) };
}

const past: PastRun[] = Array.from({ length: 12 }, (_, at) => ({
  ...ask(`fetch it, read it and send it, ${at}`, ["fetch it", "read it", `send it, ${at}`]),
  candidateIds: ["fetch", "read", "send"],
}));

const anyRun = fc.record({
  text: fc.string({ unit: "binary" }),
  vector: fc
    .array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 4, maxLength: 4 })
    .map((values) => Float32Array.from(values)),
  clauses: fc.array(fc.record({ text: fc.string() }), { maxLength: 3 }),
  candidateIds: fc.array(fc.constantFrom("fetch", "read", "draw", "send", "gone"), { maxLength: 4 }),
  flows: fc.option(
    fc.array(fc.tuple(fc.constantFrom("fetch", "read", "gone"), fc.constantFrom("draw", "read")), { maxLength: 3 }),
    { nil: undefined },
  ),
}) as fc.Arbitrary<PastRun>;

describe("NextMemory", () => {
  it("puts first what always followed", () => {
    const [next] = NextMemory.create(tools, past).rank(ask("fetch it, read it and send it"), ["fetch"]);
    expect(next?.id).toBe("read");
  });

  it("goes by the request where nothing was learned", () => {
    const ranked = NextMemory.create(tools, []).rank(ask("fetch it, then draw it", ["fetch it", "draw it"]), ["fetch"]);
    expect(ranked[0]?.id).toBe("draw");
  });

  it("says nothing of what follows a tool it does not know", () => {
    expect(NextMemory.create(tools, past).rank(ask("x"), ["unheard of"])).toEqual([]);
  });

  it("gives every candidate a chance, and they sum to 1, whatever was asked and done", () => {
    fc.assert(
      fc.property(fc.array(anyRun, { maxLength: 5 }), anyRun, (runs, { candidateIds, ...request }) => {
        const ranked = NextMemory.create(tools, runs).rank(request, ["read", ...candidateIds]);
        expect(ranked).toHaveLength(tools.length);
        expect(ranked.reduce((sum, { chance }) => sum + chance, 0)).toBeCloseTo(1, 6);
      }),
      { numRuns: 12 },
    );
  });
});

describe("FlowMemory", () => {
  it("lets each tool go on with what the one before it gave, as past runs did", () => {
    const found = FlowMemory.create(typed, past).infer(ask("send it, fetch it, read it"), ["send", "read", "fetch"]);
    expect(found.map(({ from, to }) => `${from} → ${to}`).sort()).toEqual(["fetch → read", "read → send"]);
  });

  it("goes by the order of the request where nothing was learned", () => {
    const request = ask("draw it, then send it", ["draw it", "send it"]);
    expect(FlowMemory.create(typed, []).infer(request, ["send", "draw"])).toMatchObject([{ from: "draw", to: "send" }]);
  });

  it("never closes a circle and never fills an input twice, whatever was learned", () => {
    const subset = fc.subarray(tools.map(({ id }) => id));
    fc.assert(
      fc.property(fc.array(anyRun, { maxLength: 5 }), anyRun, subset, (runs, request, ids) => {
        const found = FlowMemory.create(typed as Candidate[], runs).infer(request, ids);
        expect(new Set(found.map(({ to }) => to)).size).toBe(found.length);
        const before = new Map(found.map(({ from, to }) => [to, from]));
        for (const { to } of found) {
          let [at, steps] = [before.get(to), 0];
          while (at !== undefined && steps++ < found.length) at = before.get(at);
          expect(at).toBeUndefined();
        }
      }),
      { numRuns: 30 },
    );
  });
});
