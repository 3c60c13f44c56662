import { describe, expect, it } from "vitest";

import {
  type CallEvent,
  type EdgeFact,
  type Fact,
  factsFromRun,
  GraphRAGEngine,
  type RunRecord,
} from "../src/index.js";
import { chain } from "./run.js";

const call = (id: string, name: string, more: Partial<CallEvent> = {}): CallEvent => ({
  id,
  name,
  startMs: 0,
  endMs: 1,
  success: true,
  ...more,
});

describe("factsFromRun", () => {
  it("puts in sequence what came right after, not what came later", () => {
    expect(edges({ trace: "t", calls: chain("a:1", "b:2", "c:3") }, "sequence")).toEqual(["a:1 → b:2", "b:2 → c:3"]);
  });

  it("gives no order to what overlaps, and joins both sides of a fork to what stands around it", () => {
    const calls = [
      call("1", "a:1", { endMs: 1 }),
      call("2", "b:2", { startMs: 2, endMs: 6 }),
      call("3", "c:3", { startMs: 3, endMs: 5 }),
      call("4", "d:4", { startMs: 7, endMs: 8 }),
    ];
    expect(edges({ trace: "t", calls }, "sequence").sort()).toEqual([
      "a:1 → b:2",
      "a:1 → c:3",
      "b:2 → d:4",
      "c:3 → d:4",
    ]);
  });

  it("knows by the parent what a capability contains, another capability too", () => {
    const calls = [
      call("1", "capability:inner", { endMs: 9 }),
      call("2", "fs:read", { parentId: "1", startMs: 1, endMs: 2 }),
      call("3", "fs:write", { startMs: 10, endMs: 11 }),
    ];
    expect(edges({ trace: "t", capability: "capability:outer", calls }, "contains").sort()).toEqual([
      "capability:inner → fs:read",
      "capability:outer → capability:inner",
      "capability:outer → fs:write",
    ]);
    expect(edges({ trace: "t", calls }, "sequence")).toEqual(["capability:inner → fs:write"]);
  });

  it("believes the code about data flow before it believes values", () => {
    const calls = [
      call("1", "a:1", { nodeId: "n1", result: "a value" }),
      call("2", "b:2", { nodeId: "n2", startMs: 2, endMs: 3, result: "a value" }),
      call("3", "c:3", { nodeId: "n3", startMs: 4, endMs: 5, args: { x: "a value" } }),
    ];
    expect(edges({ trace: "t", calls }, "dependency")).toEqual(["b:2 → c:3"]);
    expect(edges({ trace: "t", calls, flows: [{ from: "n1", to: "n3" }] }, "dependency")).toEqual(["a:1 → c:3"]);
  });

  it.each([true, false, 0, 1, 7, -3, "", " ", "ok", null, [], {}])("learns no data flow from %j", (value) => {
    const calls = [
      call("1", "a:1", { result: { value } }),
      call("2", "b:2", { startMs: 2, endMs: 3, args: { value } }),
    ];
    expect(edges({ trace: "t", calls }, "dependency")).toEqual([]);
  });

  it.each(["invoice-17", 4711, 0.25, "日本語"])("learns data flow from %j", (value) => {
    const calls = [
      call("1", "a:1", { result: { deep: [{ value }] } }),
      call("2", "b:2", { startMs: 2, endMs: 3, args: { given: [value] } }),
    ];
    expect(edges({ trace: "t", calls }, "dependency")).toEqual(["a:1 → b:2"]);
  });

  it("sees no flow between calls of one moment, nor back in time", () => {
    const value = "the same text";
    const both = { args: { value }, result: { value }, startMs: 5, endMs: 5 };
    expect(edges({ trace: "t", calls: [call("1", "a:1", both), call("2", "b:2", both)] }, "dependency")).toEqual([]);
    const calls = [call("1", "a:1", { args: { value } }), call("2", "b:2", { startMs: 2, endMs: 3, result: value })];
    expect(edges({ trace: "t", calls }, "dependency")).toEqual([]);
  });

  it("says a thing once however often a loop repeats it, but counts each outcome", () => {
    const facts = factsFromRun({ trace: "t", calls: chain("a:1", "b:2", "a:1", "b:2", "a:1", "b:2") });
    expect(facts.filter((fact) => fact.kind === "edge")).toHaveLength(2);
    expect(facts.flatMap((fact) => (fact.kind === "outcome" ? [fact.position] : []))).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it("learns the type of a result only from a success of a tool", () => {
    const calls = [
      call("1", "a:1", { result: { n: 1 } }),
      call("2", "b:2", { success: false, result: { error: "no" } }),
      call("3", "code:map", { result: [1] }),
    ];
    const typed = factsFromRun({ trace: "t", calls }).flatMap((fact) => (fact.kind === "type" ? [fact.tool] : []));
    expect(typed).toEqual(["a:1"]);
  });

  it("leaves operations and what is inside capabilities out of the path", () => {
    const calls = [...chain("a:1", "code:filter", "b:2"), call("x", "in:side", { parentId: "c0", endMs: 0.5 })];
    expect(factsFromRun({ trace: "t", calls }).find((fact) => fact.kind === "path")).toMatchObject({
      nodes: ["a:1", "b:2"],
    });
  });

  it("names its trace in every fact", () => {
    const facts = factsFromRun({ trace: "run-9", calls: chain("a:1", "b:2") });
    expect(new Set(facts.map(({ trace }) => trace))).toEqual(new Set(["run-9"]));
  });

  it("survives values that hold themselves, are deep, or are named like built-in properties", () => {
    const circular: Record<string, unknown> = JSON.parse('{"__proto__": "polluted", "constructor": "built in"}');
    circular["self"] = circular;
    let deep: unknown = "at the bottom";
    for (let depth = 0; depth < 5000; depth++) deep = [deep];
    const calls = [
      call("1", "a:1", { result: circular }),
      call("2", "b:2", { startMs: 2, endMs: 3, args: { x: "polluted", deep } }),
    ];
    expect(edges({ trace: "t", calls }, "dependency")).toEqual(["a:1 → b:2"]);
  });

  it.each([
    ["no name", { name: "" }],
    ["no id", { id: 3 as never }],
    ["an end before its start", { startMs: 5, endMs: 4 }],
    ["a time that is none", { startMs: Number.NaN }],
    ["a time without end", { endMs: Infinity }],
  ])("refuses a call with %s", (_, wrong) => {
    expect(() => factsFromRun({ trace: "t", calls: [call("1", "a:1", wrong)] })).toThrow(
      expect.objectContaining({ code: "GRAPH_INVALID_RUN" }),
    );
  });
});

describe("observe", () => {
  it.each([
    ["nothing", null],
    ["a text", "edge"],
    ["an unknown kind", { kind: "__proto__" }],
    ["an inherited kind", { kind: "toString" }],
    ["a node without id", { kind: "node", id: "" }],
    ["a node whose id is no text", { kind: "node", id: ["a"] }],
    ["an unknown type of edge", { kind: "edge", from: "a", to: "b", type: "constructor", source: "manual" }],
    ["an unknown source", { kind: "edge", from: "a", to: "b", type: "sequence", source: "__proto__" }],
    ["an edge to itself", { kind: "edge", from: "a", to: "a", type: "sequence", source: "manual" }],
    ["a path that is none", { kind: "path", nodes: "abc" }],
    ["a path with a hole", { kind: "path", nodes: ["a", undefined] }],
    ["a type that is none", { kind: "type", tool: "a", type: { kind: "object", fields: [{ type: { kind: "any" } }] } }],
    ["an endless duration", { kind: "outcome", node: "a", success: true, durationMs: Infinity, position: 0 }],
    ["an outcome that is neither", { kind: "outcome", node: "a", success: "yes", durationMs: 1, position: 0 }],
    ["a call without time", { kind: "call", id: "1", node: "a", startMs: "0", endMs: 1, success: true }],
    ["a parent that is no id", { kind: "call", id: "1", node: "a", startMs: 0, endMs: 1, success: true, parent: 7 }],
    ["a trace that is no text", { kind: "node", id: "a", trace: {} }],
  ])("refuses %s", (_, fact) => {
    const engine = new GraphRAGEngine();
    expect(() => engine.observe([fact as Fact])).toThrow(expect.objectContaining({ code: "GRAPH_INVALID_FACT" }));
    expect(engine.snapshot().nodes).toEqual([]);
  });
});

function edges(run: RunRecord, type: EdgeFact["type"]): string[] {
  return factsFromRun(run).flatMap((fact) =>
    fact.kind === "edge" && fact.type === type ? [`${fact.from} → ${fact.to}`] : [],
  );
}
