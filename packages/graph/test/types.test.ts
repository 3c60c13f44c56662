import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import {
  createProvidesEdges,
  type Fact,
  factsFromRun,
  GraphRAGEngine,
  mergeTypes,
  typeOfValue,
  typeToSchema,
} from "../src/index.js";
import { chain } from "./run.js";

const engineOf = (...results: readonly unknown[]): GraphRAGEngine => {
  const engine = new GraphRAGEngine();
  results.forEach((result, at) => engine.observe(typed(`t${at}`, result)));
  return engine;
};

describe("learned types", () => {
  it("become the schema of a tool that declares none", () => {
    const engine = engineOf({ id: 1, tags: ["x"] }, { id: 2.5, tags: [], note: null });
    expect(engine.types.findSchema("a:1")).toEqual({
      type: "object",
      properties: {
        id: { type: "number" },
        note: { type: "null" },
        tags: { type: "array", items: { type: "string" } },
      },
      required: ["id", "tags"],
    });
    expect(engine.types.findSchema("never:called")).toBeUndefined();
  });

  it("let a tool provide that declares no output", () => {
    const engine = engineOf({ movie_id: 550 });
    const tools = [
      { id: "a:1" },
      { id: "b:2", inputSchema: { properties: { movie_id: { type: "integer" } }, required: ["movie_id"] } },
    ];
    expect(createProvidesEdges(tools)).toEqual([]);
    const edges = createProvidesEdges(tools, { findOutputSchema: (id) => engine.types.findSchema(id) });
    expect(edges).toMatchObject([{ from: "a:1", to: "b:2", coverage: "strict" }]);
  });

  it("are narrow again when the run that widened them is forgotten", () => {
    const engine = engineOf({ id: 1 });
    engine.observe(typed("odd", "an error page"));
    expect(engine.types.findSchema("a:1")).toHaveProperty("anyOf");
    engine.retract(typed("odd", "an error page"));
    expect(engine.types.findSchema("a:1")).toMatchObject({ type: "object" });
  });

  it("give up telling shapes apart when there are too many", () => {
    const engine = engineOf(...Array.from({ length: 250 }, (_, at) => ({ [`key${at}`]: 1 })));
    expect(engine.types.findSchema("a:1")).toEqual({});
    expect(engine.types.listDrift("a:1", { anything: true })).toEqual([]);
  });

  it("treat a record of very many keys as a dictionary, and end at a depth", () => {
    const wide = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`k${at}`, at]));
    expect(typeOfValue(wide)).toEqual({ kind: "object", fields: [] });
    const circular: unknown[] = [];
    circular.push(circular);
    expect(JSON.stringify(typeOfValue(circular))).toContain("any");
  });

  it("keep fields called like built-in properties", () => {
    const schema = typeToSchema(typeOfValue(JSON.parse('{"__proto__": 1, "constructor": "x"}')));
    expect(Object.keys(schema["properties"] as object)).toEqual(["__proto__", "constructor"]);
    expect(schema["required"]).toEqual(["__proto__", "constructor"]);
  });
});

describe("listDrift", () => {
  const learned = { id: 1, user: { name: "x" }, tags: [{ n: 1 }] };

  it.each([
    ["a new field", { ...learned, more: true }, { path: ["more"], kind: "new_field", found: "boolean" }],
    ["a missing field", { id: 1, tags: [] }, { path: ["user"], kind: "missing_field", expected: "object" }],
    [
      "another type",
      { ...learned, id: "1" },
      { path: ["id"], kind: "other_type", expected: "integer", found: "string" },
    ],
    ["another type inside", { ...learned, user: { name: 7 } }, { path: ["user", "name"], kind: "other_type" }],
    ["another type in a list", { ...learned, tags: [{ n: "x" }] }, { path: ["tags", "*", "n"], kind: "other_type" }],
    [
      "one item of another type",
      { ...learned, tags: [{ n: 1 }, "x"] },
      { path: ["tags", "*"], kind: "other_type", found: "string" },
    ],
    ["another result altogether", "sorry", { path: [], kind: "other_type", found: "string" }],
  ])("reports %s", (_, result, drift) => {
    expect(engineOf(learned).types.listDrift("a:1", result)).toMatchObject([drift]);
  });

  it("reports nothing of a tool it does not know, nor what was seen before", () => {
    expect(engineOf(learned).types.listDrift("b:2", { anything: 1 })).toEqual([]);
    const engine = engineOf({ id: 1.5, note: "x" }, { id: 2 });
    expect(engine.types.listDrift("a:1", { id: 7 })).toEqual([]);
    expect(engine.types.listDrift("a:1", { id: 7.5, note: "y" })).toEqual([]);
  });

  it("reports nothing of any result that was learned", () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue({ maxDepth: 4 }), { minLength: 1, maxLength: 5 }), (results) => {
        const engine = engineOf(...results);
        for (const result of results) expect(engine.types.listDrift("a:1", result)).toEqual([]);
      }),
    );
  });
});

describe("mergeTypes", () => {
  it("makes whole numbers and numbers numbers, and what differs a union", () => {
    expect(mergeTypes(typeOfValue(1), typeOfValue(1.5))).toEqual({ kind: "number" });
    expect(typeToSchema(mergeTypes(typeOfValue("x"), typeOfValue(null)))).toEqual({
      anyOf: [{ type: "null" }, { type: "string" }],
    });
  });
});

function typed(trace: string, result: unknown): Fact[] {
  return factsFromRun({ trace, calls: chain("a:1").map((call) => ({ ...call, result })) });
}
