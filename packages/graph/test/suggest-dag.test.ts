import { describe, expect, it } from "vitest";

import {
  type CallEvent,
  type CandidateTool,
  factsFromRun,
  GraphRAGEngine,
  inferEdges,
  type PastPlan,
  suggestDag,
} from "../src/index.js";
import { chain } from "./run.js";

const text = { type: "string" };
const tool = (id: string, inputs: readonly string[], outputs: readonly string[], score = 0.9): CandidateTool => ({
  id,
  score,
  inputSchema: { type: "object", properties: fields(inputs), required: inputs },
  outputSchema: { type: "object", properties: fields(outputs) },
});
const person = tool("people:find", ["name"], ["person_id"]);
const movie = tool("movies:find", ["title"], ["movie_id"], 0.8);
const cast = tool("movies:check_cast", ["person_id", "movie_id"], ["answer"], 0.7);

describe("suggestDag", () => {
  it("joins what several tools give in the one that needs it all", () => {
    const dag = suggestDag(new GraphRAGEngine(), { candidates: [cast, movie, person] });
    const last = dag?.dag.tasks.at(-1);
    expect(last).toMatchObject({ tool: "movies:check_cast", dependsOn: ["t1", "t2"] });
    expect(last?.arguments).toEqual({
      person_id: { $from: "t1", path: ["person_id"] },
      movie_id: { $from: "t2", path: ["movie_id"] },
    });
    expect(dag?.dependencyPaths).toHaveLength(2);
    expect(dag?.dependencyPaths[0]?.explanation).toContain("movie_id");
  });

  it("says how sure it is, why, what else was likely, and what the tools take and give", () => {
    const other = {
      ...tool("web:search", ["query"], ["results"], 0.3),
      description: "Searches.",
      examples: [{ query: "x" }],
    };
    const dag = suggestDag(new GraphRAGEngine(), { candidates: [person, movie, other] });
    expect(dag?.confidence).toBeCloseTo(0.85);
    expect(dag?.rationale).toContain("people:find, movies:find");
    expect(dag?.alternatives).toEqual(["web:search"]);
    expect(dag?.toolSchemas["people:find"]).toMatchObject({ requiredInputs: ["name"], optionalInputs: [] });
    const alone = suggestDag(new GraphRAGEngine(), { candidates: [other], leastScore: 0.1 });
    expect(alone?.toolSchemas["web:search"]).toMatchObject({ description: "Searches.", examples: [{ query: "x" }] });
  });

  it("has no suggestion when nothing is likely", () => {
    expect(suggestDag(new GraphRAGEngine(), { candidates: [] })).toBeUndefined();
    expect(suggestDag(new GraphRAGEngine(), { candidates: [{ ...person, score: 0.1 }] })).toBeUndefined();
  });

  it("takes in a tool that plans for like requests used, and their arguments", () => {
    const plans: PastPlan[] = [
      {
        id: "p1",
        likeness: 0.9,
        tasks: [{ tool: "movies:find", arguments: { title: "Alien", from: { $from: "t9" } } }],
      },
      { id: "p2", likeness: 0.2, tasks: [{ tool: "movies:find", arguments: { title: "Heat" } }] },
    ];
    const candidates = [
      { ...movie, score: 0.3 },
      { ...person, score: 0.3 },
    ];
    const dag = suggestDag(new GraphRAGEngine(), { candidates, plans });
    expect(dag?.dag.tasks).toMatchObject([{ tool: "movies:find", arguments: { title: "Alien" } }]);
    expect(dag?.dag.tasks[0]?.arguments).not.toHaveProperty("from");
    expect(dag?.rationale).toContain("used by 2 earlier plans");
  });

  it("keeps an order that runs have shown, though no schema does", () => {
    const [first, second] = [tool("a:1", ["x"], ["p"]), tool("b:2", ["y"], ["q"])];
    const engine = new GraphRAGEngine();
    for (const trace of ["1", "2", "3"]) {
      const [maker, taker] = chain("b:2", "a:1") as [CallEvent, CallEvent];
      const value = `what run ${trace} made`;
      engine.observe(
        factsFromRun({
          trace,
          calls: [
            { ...maker, result: value },
            { ...taker, args: [value] },
          ],
        }),
      );
    }
    const dag = suggestDag(engine, { candidates: [first, second] });
    expect(dag?.dag.tasks.map((task) => task.tool)).toEqual(["b:2", "a:1"]);
    expect(dag?.dependencyPaths[0]?.explanation).toContain("earlier runs");
  });

  it("gives no more tasks than asked for", () => {
    const candidates = Array.from({ length: 9 }, (_, at) => tool(`a:${at}`, [], [], 0.9));
    expect(suggestDag(new GraphRAGEngine(), { candidates, mostTasks: 3 })?.dag.tasks).toHaveLength(3);
  });

  it("survives schemas that are none, and names of built-in properties", () => {
    const broken: CandidateTool[] = [
      { id: "__proto__", score: 0.9, inputSchema: { properties: "x", required: 7 } },
      {
        id: "constructor",
        score: 0.8,
        outputSchema: null as never,
        inputSchema: JSON.parse('{"properties":{"__proto__":{}}}'),
      },
    ];
    const dag = suggestDag(new GraphRAGEngine(), { candidates: broken });
    expect(dag?.dag.tasks.map((task) => task.tool)).toEqual(["__proto__", "constructor"]);
    expect(Object.keys(dag?.toolSchemas ?? {})).toEqual(["__proto__", "constructor"]);
  });
});

describe("inferEdges", () => {
  it("lets what is found be acted on, not the other way round", () => {
    const record = ["origin", "destination", "departure_time"];
    const edges = inferEdges([
      tool("bus:buy_ticket", record, [...record, "ticket"]),
      tool("bus:find", record.slice(0, 2), record),
    ]);
    expect(edges.map(({ from, to }) => [from, to])).toEqual([["bus:find", "bus:buy_ticket"]]);
  });

  it("takes an input from the source that the request speaks of last before it", () => {
    const steps = ["a:cut", "b:mix", "c:play"].map((id) => tool(id, ["audio"], ["audio"]));
    const order = new Map(["a:cut", "b:mix", "c:play"].map((id, at) => [id, at]));
    const found = inferEdges(steps, { order }).map(({ from, to }) => `${from} → ${to}`);
    expect(found.sort()).toEqual(["a:cut → b:mix", "b:mix → c:play"]);
  });

  it("keeps the order of the request where neither schemas nor runs say anything", () => {
    const order = new Map([
      ["a:1", 1],
      ["b:2", 0],
    ]);
    expect(inferEdges([{ id: "a:1" }, { id: "b:2" }], { order })).toMatchObject([{ from: "b:2", to: "a:1" }]);
    expect(inferEdges([{ id: "a:1" }, { id: "b:2" }])).toEqual([]);
  });

  it("never closes a circle, and leaves out the least sure edge of one", () => {
    const tools = [
      tool("a:1", ["alpha"], ["beta"]),
      tool("b:2", ["beta"], ["gamma"]),
      tool("c:3", ["gamma"], ["alpha"]),
    ];
    const edges = inferEdges(tools);
    expect(edges).toHaveLength(2);
    expect(new Set(edges.map(({ from }) => from)).size).toBe(2);
  });
});

function fields(names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, text]));
}
