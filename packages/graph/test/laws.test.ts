import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import {
  type ArgumentSource,
  type CallEvent,
  type Fact,
  factsFromRun,
  GraphRAGEngine,
  mergeTypes,
  typeOfValue,
} from "../src/index.js";

const ID = fc.constantFrom(
  "fs:read",
  "json:parse",
  "http:post",
  "__proto__",
  "constructor",
  "code:map",
  "capability:1",
);
const EDGE: fc.Arbitrary<Fact> = fc
  .record({
    kind: fc.constant("edge" as const),
    from: ID,
    to: ID,
    type: fc.constantFrom("dependency" as const, "sequence" as const, "contains" as const),
    source: fc.constantFrom("template" as const, "inferred" as const, "observed" as const, "manual" as const),
  })
  .filter(({ from, to }) => from !== to);
const PATH = fc.array(fc.oneof(fc.string(), fc.nat(9), fc.record({ turn: fc.nat(2) })), { maxLength: 3 });
const { source: SOURCE } = fc.letrec<{ source: ArgumentSource }>((tie) => ({
  source: fc.oneof(
    { maxDepth: 2 },
    fc.record({ from: fc.constant("literal" as const) }),
    fc.record({ from: fc.constant("input" as const), path: PATH }),
    fc.record({ from: fc.constant("output" as const), of: ID, path: PATH }),
    fc.record({ from: fc.constant("list" as const), items: fc.array(tie("source"), { maxLength: 2 }) }),
    fc.record({ from: fc.constant("object" as const), fields: fc.array(fc.tuple(fc.string(), tie("source"))) }),
    fc.record({ from: fc.constant("text" as const), parts: fc.array(fc.oneof(fc.string(), tie("source"))) }),
  ),
}));
const FACT: fc.Arbitrary<Fact> = fc.oneof(
  EDGE,
  fc.record({ kind: fc.constant("source" as const), subject: ID, source: SOURCE }),
  fc.record({ kind: fc.constant("source" as const), subject: ID }),
  fc.record({ kind: fc.constant("node" as const), id: ID }),
  fc.record({ kind: fc.constant("path" as const), nodes: fc.array(ID, { maxLength: 5 }) }),
  fc.record({ kind: fc.constant("type" as const), tool: ID, type: fc.jsonValue().map((value) => typeOfValue(value)) }),
  fc.record({
    kind: fc.constant("outcome" as const),
    node: ID,
    success: fc.boolean(),
    durationMs: fc.double({ min: 0, max: 1e6, noNaN: true }),
    position: fc.nat(9),
  }),
);
const CALLS: fc.Arbitrary<CallEvent[]> = fc
  .array(fc.record({ name: ID, startMs: fc.nat(40), lasts: fc.nat(10), value: fc.string({ maxLength: 5 }) }), {
    maxLength: 12,
  })
  .map((calls) =>
    calls.map(({ name, startMs, lasts, value }, at) => ({
      id: `c${at}`,
      name,
      startMs,
      endMs: startMs + lasts,
      success: true,
      args: { value },
      result: { value },
    })),
  );

describe("GraphRAGEngine", () => {
  it("is the same after a snapshot is restored", () => {
    fc.assert(
      fc.property(fc.array(FACT), (facts) => {
        const engine = new GraphRAGEngine();
        engine.observe(facts);
        const snapshot = engine.snapshot();
        const through = JSON.parse(JSON.stringify(snapshot)) as typeof snapshot;
        expect(GraphRAGEngine.restore(through).snapshot()).toEqual(snapshot);
      }),
    );
  });

  it("is as before when what it was told is taken back", () => {
    fc.assert(
      fc.property(fc.array(FACT), fc.array(FACT), (before, facts) => {
        const engine = new GraphRAGEngine();
        engine.observe(before);
        const snapshot = engine.snapshot();
        engine.observe(facts);
        engine.retract(facts);
        expect(engine.snapshot()).toEqual(snapshot);
      }),
    );
  });

  it("keeps every weight within 0 and 1", () => {
    fc.assert(
      fc.property(fc.array(EDGE), (facts) => {
        const engine = new GraphRAGEngine();
        engine.observe(facts);
        for (const id of engine.listNodes()) {
          for (const { weight } of engine.listEdges(id)) expect(weight > 0 && weight <= 1).toBe(true);
        }
      }),
    );
  });

  it("gives the communities of a graph, however it grew", () => {
    fc.assert(
      fc.property(fc.array(EDGE), (facts) => {
        const [slowly, atOnce] = [new GraphRAGEngine(), new GraphRAGEngine()];
        for (const fact of facts) {
          slowly.observe([fact]);
          slowly.getCommunity(slowly.listNodes()[0] ?? "");
        }
        atOnce.observe([...facts].reverse());
        for (const id of atOnce.listNodes()) expect(slowly.getCommunity(id)).toEqual(atOnce.getCommunity(id));
      }),
    );
  });
});

describe("factsFromRun", () => {
  it("gives the same facts in whatever order the calls arrive", () => {
    fc.assert(
      fc.property(
        CALLS.chain((calls) => fc.tuple(fc.constant(calls), fc.shuffledSubarray(calls, { minLength: calls.length }))),
        ([calls, shuffled]) => {
          expect(factsFromRun({ trace: "t", calls: shuffled })).toEqual(factsFromRun({ trace: "t", calls }));
        },
      ),
    );
  });

  it("never puts calls of one fork in sequence", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(9), { minLength: 2, maxLength: 8 }), (lengths) => {
        const calls = lengths.map((lasts, at) => ({
          id: `c${at}`,
          name: `x:t${at}`,
          startMs: at,
          endMs: 10 + lasts,
          success: true,
        }));
        const facts = factsFromRun({ trace: "t", calls });
        expect(facts.filter((fact) => fact.kind === "edge" && fact.type === "sequence")).toEqual([]);
      }),
    );
  });
});

describe("mergeTypes", () => {
  const type = fc.jsonValue().map((value) => typeOfValue(value));

  it("does not depend on order or repetition", () => {
    fc.assert(
      fc.property(type, type, type, (a, b, c) => {
        expect(mergeTypes(a, a)).toEqual(a);
        expect(mergeTypes(a, b)).toEqual(mergeTypes(b, a));
        expect(mergeTypes(mergeTypes(a, b), c)).toEqual(mergeTypes(a, mergeTypes(b, c)));
      }),
    );
  });
});
