import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { type EngineSnapshot, factsFromRun, GraphError, GraphRAGEngine, predictNext } from "../src/index.js";
import { chain, HOSTILE_NAMES, runOf } from "./run.js";

const whole = (): EngineSnapshot => {
  const engine = new GraphRAGEngine();
  const calls = chain("a:1", "b:2").map((call) => ({ ...call, result: { id: 12_345 } }));
  engine.observe(factsFromRun({ trace: "t", capability: "capability:c", calls }));
  engine.observe([{ kind: "source", subject: "b:2", source: { from: "output", of: "a:1", path: ["id"] } }]);
  return JSON.parse(JSON.stringify(engine.snapshot())) as EngineSnapshot;
};

describe("restore", () => {
  it("brings back everything that can be asked", () => {
    const engine = GraphRAGEngine.restore(whole());
    expect(engine.getEdgeData("a:1", "b:2", "sequence").observations).toBe(1);
    expect(engine.types.findSchema("a:1")).toMatchObject({ properties: { id: { type: "integer" } } });
    expect(predictNext(engine.paths, ["a:1"])[0]?.id).toBe("b:2");
    expect(engine.getGraphSnapshot({ view: "invocation" }).nodes).toHaveLength(2);
    expect(engine.pageRank("b:2")).toBeGreaterThan(0);
    expect(engine.getCommunity("a:1")?.members).toEqual(["a:1", "b:2"]);
  });

  it("goes on learning where it stopped", () => {
    const engine = GraphRAGEngine.restore(whole());
    for (const trace of ["u", "v"]) engine.observe(factsFromRun(runOf(trace, "a:1", "b:2")));
    expect(engine.getEdgeData("a:1", "b:2", "sequence").source).toBe("observed");
  });

  it.each(HOSTILE_NAMES)("keeps a node called %j", (name) => {
    const engine = new GraphRAGEngine();
    engine.observe(factsFromRun(runOf(name, name, "b:2")));
    const text = JSON.stringify(engine.snapshot());
    expect(JSON.stringify(GraphRAGEngine.restore(JSON.parse(text) as EngineSnapshot).snapshot())).toBe(text);
  });

  it.each([
    ["nothing", null],
    ["another version", { ...whole(), version: 2 }],
    ["a part missing", { ...whole(), calls: undefined }],
    ["nodes that are none", { ...whole(), nodes: [null] }],
    ["a node without mentions", { ...whole(), nodes: [{ ...whole().nodes[0], mentions: 0 }], edges: [] }],
    ["a node twice", { ...whole(), nodes: [...whole().nodes, ...whole().nodes] }],
    ["counts that are no numbers", { ...whole(), nodes: [{ ...whole().nodes[0], successes: "1" }], edges: [] }],
    ["an edge that is none", { ...whole(), edges: [null] }],
    ["an edge to nowhere", { ...whole(), edges: [["a:1", "z:9", "sequence", whole().edges[0]?.[3]]] }],
    ["an edge to itself", { ...whole(), edges: [["a:1", "a:1", "sequence", whole().edges[0]?.[3]]] }],
    ["an edge of no type", { ...whole(), edges: [["a:1", "b:2", "__proto__", whole().edges[0]?.[3]]] }],
    ["an edge without counts", { ...whole(), edges: [["a:1", "b:2", "sequence"]] }],
    ["an edge that nobody saw", { ...whole(), edges: [["a:1", "b:2", "sequence", zero()]] }],
    ["an edge seen half", { ...whole(), edges: [["a:1", "b:2", "sequence", { ...zero(), observed: 0.5 }]] }],
    ["paths that are none", { ...whole(), paths: [[["a:1"], [["b:2", -1]]]] }],
    ["a context that is none", { ...whole(), paths: [["a:1", []]] }],
    ["types that are none", { ...whole(), types: [["a:1", [[{ kind: "what" }, 1]]]] }],
    ["sources that are none", { ...whole(), sources: [["b:2", [[{ from: "nowhere" }, 1]]]] }],
    ["calls that are none", { ...whole(), calls: [["t", [{ kind: "node", id: "a:1" }]]] }],
  ])("refuses %s", (_, snapshot) => {
    expect(() => GraphRAGEngine.restore(snapshot as EngineSnapshot)).toThrow(
      expect.objectContaining({ code: "GRAPH_INVALID_SNAPSHOT" }),
    );
  });

  it("restores or refuses what was damaged anywhere, and never breaks otherwise", () => {
    fc.assert(
      fc.property(fc.nat(), fc.constantFrom(null, -1, 1.5, "", "__proto__", [], {}, true), (at, value) => {
        const damaged = whole();
        damage(damaged, { at, value });
        const outcome = tryAll(damaged);
        expect(outcome === undefined || outcome instanceof GraphError).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

function zero(): Record<string, number> {
  return { template: 0, inferred: 0, observed: 0, manual: 0 };
}

/** What was thrown by restoring it and asking of it, if anything was. */
function tryAll(snapshot: EngineSnapshot): unknown {
  try {
    const engine = GraphRAGEngine.restore(snapshot);
    engine.pageRank();
    engine.getGraphSnapshot({ view: "definition" });
    engine.getGraphSnapshot({ view: "invocation" });
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Puts a value in one of all the places a snapshot has. */
function damage(snapshot: unknown, { at, value }: { at: number; value: unknown }): void {
  const places: [Record<string, unknown>, string][] = [];
  const visit = (part: unknown): void => {
    if (typeof part !== "object" || part === null) return;
    for (const [key, inner] of Object.entries(part)) {
      places.push([part as Record<string, unknown>, key]);
      visit(inner);
    }
  };
  visit(snapshot);
  const [holder, key] = places[at % places.length] ?? [{}, ""];
  holder[key] = value;
}
