import { describe, expect, it } from "vitest";

import { type ArgumentSource, type Fact, factsFromRun, GraphRAGEngine } from "../src/index.js";
import { chain } from "./run.js";

const INPUT: ArgumentSource = { from: "input", path: ["city"] };
const OUTPUT: ArgumentSource = { from: "output", of: "n1", path: ["items", { turn: 0 }, "id"] };
const fact = (source?: ArgumentSource): Fact => ({ kind: "source", subject: "web:get", ...(source && { source }) });

describe("argument sources", () => {
  it("are counted in runs, the most frequent first", () => {
    const { sources } = learn(fact(), fact(), fact(INPUT), fact(OUTPUT), fact(OUTPUT));
    expect(sources.count("web:get")).toBe(2);
    expect(sources.count("web:get", INPUT)).toBe(1);
    expect(sources.list("web:get")).toEqual([
      { source: OUTPUT, runs: 2 },
      { source: INPUT, runs: 1 },
    ]);
    expect(sources.list("fs:read")).toEqual([]);
  });

  it("are gone when what taught them is taken back", () => {
    const engine = new GraphRAGEngine();
    engine.observe([fact(), fact(INPUT)]);
    engine.retract([fact(), fact(INPUT)]);
    expect(engine.sources.list("web:get")).toEqual([]);
    expect(engine.snapshot()).toEqual(new GraphRAGEngine().snapshot());
  });

  it.each([
    ["of no kind", { from: "nowhere" }],
    ["without a path", { from: "input" }],
    ["with a path that is none", { from: "input", path: [{ turn: -1 }] }],
    ["of no call", { from: "output", path: [] }],
    ["with a field that is none", { from: "object", fields: [["a"]] }],
    ["with a part that is none", { from: "text", parts: [1] }],
    ["too deep to be one", deep(20)],
  ])("are refused %s", (_, source) => {
    expect(() => new GraphRAGEngine().observe([fact(source as ArgumentSource)])).toThrow(
      expect.objectContaining({ code: "GRAPH_INVALID_FACT" }),
    );
  });
});

describe("a call that was begun before it was asked for", () => {
  it("counts with the time it took, and stands where it was asked for", () => {
    const calls = chain("a:1", "b:2").map((call) => (call.name === "b:2" ? { ...call, durationMs: 900 } : call));
    const engine = learn(...factsFromRun({ trace: "t", calls }));
    expect(engine.getNode("b:2").totalMs).toBe(900);
    expect(engine.findEdgeData("a:1", "b:2", "sequence")).toBeDefined();
  });
});

function learn(...facts: Fact[]): GraphRAGEngine {
  const engine = new GraphRAGEngine();
  engine.observe(facts);
  return engine;
}

function deep(levels: number): unknown {
  return levels === 0 ? { from: "literal" } : { from: "list", items: [deep(levels - 1)] };
}
