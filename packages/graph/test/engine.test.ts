import { describe, expect, it } from "vitest";

import { factsFromRun, GraphError, GraphRAGEngine, type StoredEdge } from "../src/index.js";
import { chain, edge, HOSTILE_NAMES, runOf } from "./run.js";

describe("GraphRAGEngine", () => {
  it("keeps the types of edges between two nodes apart, and gives the heaviest when none is named", () => {
    const engine = engineOf(edge("a:x", "b:y", "sequence"), edge("a:x", "b:y", "dependency"));
    expect(engine.getEdgeData("a:x", "b:y").type).toBe("dependency");
    expect(engine.getEdgeData("a:x", "b:y", "sequence").weight).toBe(0.5);
    expect(engine.findEdgeData("b:y", "a:x")).toBeUndefined();
  });

  it("trusts an observation from the third on", () => {
    const engine = new GraphRAGEngine();
    const weights = [1, 2, 3, 4].map(() => {
      engine.observe([edge("a:x", "b:y", "dependency", "observed")]);
      return engine.getEdgeData("a:x", "b:y").weight;
    });
    expect(weights).toEqual([0.7, 0.7, 1, 1]);
  });

  it("names neighbours once, by direction and type", () => {
    const engine = engineOf(edge("a:x", "b:y"), edge("a:x", "b:y", "sequence"), edge("c:z", "a:x", "contains"));
    expect(engine.getNeighbors("a:x").sort()).toEqual(["b:y", "c:z"]);
    expect(engine.getNeighbors("a:x", "out")).toEqual(["b:y"]);
    expect(engine.getNeighbors("a:x", "in", ["dependency"])).toEqual([]);
  });

  it("folds in all facts or none", () => {
    const engine = new GraphRAGEngine();
    expect(() => engine.observe([edge("a:x", "b:y"), edge("a:x", "a:x")])).toThrow(GraphError);
    expect(engine.listNodes()).toEqual([]);
  });

  it("takes the way over strong edges, even if it is longer", () => {
    const engine = engineOf(
      edge("a:1", "d:4", "sequence", "template"),
      edge("a:1", "b:2"),
      edge("b:2", "d:4"),
      edge("e:5", "a:1"),
    );
    expect(engine.shortestPath("a:1", "d:4")).toEqual(["a:1", "b:2", "d:4"]);
    expect(engine.shortestPath("a:1", "e:5")).toBeUndefined();
  });

  it("ranks highest what most others lead to, and operations not at all", () => {
    const engine = engineOf(edge("a:1", "hub:x"), edge("b:2", "hub:x"), edge("c:3", "hub:x"), edge("a:1", "code:map"));
    const ranks = engine.pageRank();
    expect(Math.max(...ranks.values())).toBe(ranks.get("hub:x"));
    expect([...ranks.values()].reduce((sum, rank) => sum + rank, 0)).toBeCloseTo(1);
    expect(engine.pageRank("code:map")).toBe(0);
  });

  it("puts tools that are used together into one community, and others into another", () => {
    const engine = engineOf(
      ...clique("left", 4),
      ...clique("right", 4),
      edge("left:0", "right:0", "sequence", "template"),
    );
    expect(engine.getCommunity("left:0")?.members).toEqual(["left:0", "left:1", "left:2", "left:3"]);
    expect(engine.getCommunity("right:3")?.id).toBe("right:0");
  });

  it("peeks at communities without computing them again, until many tools have changed", () => {
    const engine = engineOf(...clique("left", 40), ...clique("right", 40));
    const before = engine.peekCommunity("left:0");
    engine.observe([edge("left:0", "new:1")]);
    expect(engine.peekCommunity("left:0")).toEqual(before);
    expect(engine.peekCommunity("new:1")?.id).toBe(before?.id);
    engine.observe(clique("other", 8));
    expect(engine.peekCommunity("new:1")).toEqual(engine.getCommunity("new:1"));
    expect(engine.peekCommunity("other:0")?.members).toHaveLength(8);
  });

  it("relates tools by the neighbours they share, a rare one counting more", () => {
    const engine = engineOf(
      ...["a:1", "b:2"].map((tool) => edge("rare:x", tool)),
      ...["a:1", "c:3", "d:4", "e:5"].map((tool) => edge("common:y", tool)),
    );
    const related = engine.computeAdamicAdar("a:1");
    expect(related[0]).toMatchObject({ id: "b:2", through: "rare:x" });
    expect(related.map(({ id }) => id)).toEqual(["b:2", "c:3", "d:4", "e:5"]);
  });

  it("gives a capability with all its tools as one hyperedge", () => {
    const engine = engineOf(
      edge("capability:1", "a:1", "contains"),
      edge("capability:1", "b:2", "contains"),
      edge("capability:1", "code:map", "contains"),
      edge("capability:2", "capability:1", "contains"),
    );
    expect(engine.listHyperedges()).toEqual([{ capability: "capability:1", tools: ["a:1", "b:2"] }]);
    expect(engine.listSpanning("a:1")).toEqual(["capability:1"]);
  });

  it("clusters capabilities by the tools they share", () => {
    const engine = engineOf(
      ...[1, 2, 3].flatMap((at) => span(`capability:files${at}`, ["fs:read", "fs:write", `fs:extra${at}`])),
      ...[1, 2, 3].flatMap((at) => span(`capability:mail${at}`, ["mail:list", "mail:send", `mail:extra${at}`])),
    );
    expect(engine.getCommunity("capability:files2")?.members).toEqual([1, 2, 3].map((at) => `capability:files${at}`));
    expect(engine.getCommunity("capability:mail1")?.members).toHaveLength(3);
  });

  it("computes what is derived again when something has changed", () => {
    const engine = engineOf(edge("a:1", "b:2"));
    const before = engine.pageRank();
    expect(engine.pageRank()).toBe(before);
    engine.observe([edge("c:3", "b:2")]);
    expect(engine.pageRank().get("b:2")).not.toBe(before.get("b:2"));
    engine.retract([edge("c:3", "b:2")]);
    expect(engine.pageRank()).toEqual(before);
  });

  it("counts successes, failures and time of a node, and forgets it with its last fact", () => {
    const engine = new GraphRAGEngine();
    const facts = factsFromRun({ trace: "t", calls: [{ ...chain("a:x")[0]!, success: false, endMs: 7 }] });
    engine.observe(facts);
    expect(engine.getNode("a:x")).toEqual({ id: "a:x", kind: "tool", successes: 0, failures: 1, totalMs: 7 });
    engine.retract(facts);
    expect(engine.hasNode("a:x")).toBe(false);
  });

  it("is not harmed by taking back what it was never told", () => {
    const engine = new GraphRAGEngine();
    engine.observe(factsFromRun(runOf("t", "a:x", "b:y")));
    engine.retract(factsFromRun({ trace: "u", calls: [{ ...chain("a:x")[0]!, success: false }] }));
    expect(engine.hasNode("a:x") ? engine.getNode("a:x").failures : 0).toBe(0);
    expect(GraphRAGEngine.restore(engine.snapshot()).snapshot()).toEqual(engine.snapshot());
  });

  it.each(HOSTILE_NAMES)("treats %j as a name like any other", (name) => {
    const engine = engineOf(edge(name, "a:x"), edge("a:x", `${name}2`), edge(`capability:${name}`, name, "contains"));
    expect(engine.getNode(name).id).toBe(name);
    expect(engine.shortestPath(name, `${name}2`)).toEqual([name, "a:x", `${name}2`]);
    expect(engine.pageRank(name)).toBeGreaterThan(0);
    expect(engine.getCommunity(name)?.members).toContain(name);
    expect(engine.computeAdamicAdar(name).map(({ id }) => id)).toContain(`${name}2`);
    expect(engine.listSpanning(name)).toEqual([`capability:${name}`]);
    expect(({} as Record<string, unknown>)["id"]).toBeUndefined();
  });

  it.each([
    ["getNode", (engine: GraphRAGEngine) => engine.getNode("no:where"), "GRAPH_NODE_NOT_FOUND"],
    ["getNeighbors", (engine: GraphRAGEngine) => engine.getNeighbors("no:where"), "GRAPH_NODE_NOT_FOUND"],
    ["getCommunity", (engine: GraphRAGEngine) => engine.getCommunity("no:where"), "GRAPH_NODE_NOT_FOUND"],
    ["computeAdamicAdar", (engine: GraphRAGEngine) => engine.computeAdamicAdar("no:where"), "GRAPH_NODE_NOT_FOUND"],
    ["pageRank", (engine: GraphRAGEngine) => engine.pageRank("no:where"), "GRAPH_NODE_NOT_FOUND"],
    ["shortestPath", (engine: GraphRAGEngine) => engine.shortestPath("no:where", "a:x"), "GRAPH_NODE_NOT_FOUND"],
    ["listSpanning", (engine: GraphRAGEngine) => engine.listSpanning("no:where"), "GRAPH_NODE_NOT_FOUND"],
    ["getEdgeData", (engine: GraphRAGEngine) => engine.getEdgeData("b:y", "a:x"), "GRAPH_EDGE_NOT_FOUND"],
  ])("says that what %s asks for is not there", (_, ask, code) => {
    const engine = engineOf(edge("a:x", "b:y"));
    expect(() => ask(engine)).toThrow(expect.objectContaining({ code }));
  });
});

describe("load", () => {
  const stored: StoredEdge = { from: "a:x", to: "b:y", type: "dependency", source: "observed", confidence: 1 };

  it("leaves out what is too unsure", () => {
    const engine = new GraphRAGEngine();
    expect(engine.load([stored, { ...stored, to: "c:z", confidence: 0.3 }])).toBe(1);
    expect(engine.hasNode("c:z")).toBe(false);
    expect(engine.getEdgeData("a:x", "b:y").weight).toBe(1);
  });

  it.each([
    ["observations that are no number", { observations: Number.NaN }],
    ["a part of an observation", { observations: 1.5 }],
    ["an edge to itself", { to: "a:x" }],
    ["an unknown type", { type: "__proto__" as never }],
  ])("refuses %s, and takes in nothing", (_, wrong) => {
    const engine = new GraphRAGEngine();
    expect(() => engine.load([stored, { ...stored, ...wrong }])).toThrow(
      expect.objectContaining({ code: "GRAPH_INVALID_FACT" }),
    );
    expect(engine.listNodes()).toEqual([]);
  });
});

function engineOf(...facts: Parameters<GraphRAGEngine["observe"]>[0]): GraphRAGEngine {
  const engine = new GraphRAGEngine();
  engine.observe(facts);
  return engine;
}

function clique(server: string, size: number): ReturnType<typeof edge>[] {
  const ids = Array.from({ length: size }, (_, at) => `${server}:${at}`);
  return ids.flatMap((from) => ids.filter((to) => to > from).map((to) => edge(from, to)));
}

function span(capability: string, tools: readonly string[]): ReturnType<typeof edge>[] {
  return tools.map((tool) => edge(capability, tool, "contains"));
}
