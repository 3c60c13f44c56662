import { describe, expect, it } from "vitest";

import { factsFromRun, GraphRAGEngine, type GraphView } from "../src/index.js";
import { chain, edge, runOf } from "./run.js";

describe("the definition view", () => {
  it("has one node for each tool and capability, and no order in time", () => {
    const engine = new GraphRAGEngine();
    engine.observe(factsFromRun({ ...runOf("t", "a:1", "b:2", "a:1"), capability: "capability:c" }));
    engine.observe([edge("a:1", "b:2", "provides", "inferred"), edge("a:1", "c:3", "alternative")]);
    const { nodes, edges } = engine.getGraphSnapshot({ view: "definition" });
    expect(nodes.map(({ id }) => id).sort()).toEqual(["a:1", "b:2", "c:3", "capability:c"]);
    expect(describeEdges({ edges })).toEqual([
      "a:1 alternative c:3",
      "a:1 provides b:2",
      "capability:c contains a:1",
      "capability:c contains b:2",
    ]);
    expect(nodes.find(({ id }) => id === "a:1")).toMatchObject({ successes: 2, community: "a:1" });
  });
});

describe("the invocation view", () => {
  const parallel = [
    { id: "1", name: "a:1", startMs: 0, endMs: 5, success: true },
    { id: "2", name: "a:1", startMs: 1, endMs: 4, success: false },
    { id: "3", name: "capability:c", startMs: 6, endMs: 9, success: true },
    { id: "4", name: "b:2", parentId: "3", startMs: 7, endMs: 8, success: true },
  ];

  it("has one node for each call, sequence between what did not overlap, contains by the parent", () => {
    const engine = new GraphRAGEngine();
    engine.observe(factsFromRun({ trace: "t", calls: parallel }));
    const { nodes, edges } = engine.getGraphSnapshot({ view: "invocation" });
    expect(nodes).toHaveLength(4);
    expect(nodes[1]).toMatchObject({ id: "2", node: "a:1", trace: "t", success: false });
    expect(describeEdges({ edges })).toEqual(["1 sequence 3", "2 sequence 3", "3 contains 4"]);
  });

  it("shows one trace when it is asked for, and never joins two", () => {
    const engine = new GraphRAGEngine();
    engine.observe(factsFromRun(runOf("one", "a:1", "b:2")));
    engine.observe(
      factsFromRun({ trace: "two", calls: chain("c:3", "d:4").map((call) => ({ ...call, id: `${call.id}'` })) }),
    );
    expect(engine.getGraphSnapshot({ view: "invocation", trace: "one" }).nodes).toHaveLength(2);
    expect(engine.getGraphSnapshot({ view: "invocation" }).edges).toHaveLength(2);
    expect(engine.getGraphSnapshot({ view: "invocation", trace: "__proto__" }).nodes).toEqual([]);
  });

  it("keeps the latest traces only", () => {
    const engine = new GraphRAGEngine({ mostRecentTraces: 2 });
    for (const trace of ["one", "two", "three"]) engine.observe(factsFromRun(runOf(trace, "a:1")));
    const { nodes } = engine.getGraphSnapshot({ view: "invocation" });
    expect(nodes.map((node) => ("trace" in node ? node.trace : ""))).toEqual(["two", "three"]);
  });
});

function describeEdges({ edges }: Pick<GraphView, "edges">): string[] {
  return edges.map(({ from, to, type }) => `${from} ${type} ${to}`).sort();
}
