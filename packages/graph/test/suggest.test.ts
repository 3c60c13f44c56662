import { describe, expect, it } from "vitest";

import { type Fact, factsFromRun, GraphRAGEngine, suggest } from "../src/index.js";
import { edge, HOSTILE_NAMES, runOf } from "./run.js";

describe("suggest", () => {
  it("gives what usually comes next, related tools and capabilities, each with a reason", () => {
    const engine = learned();
    const found = suggest(engine, ["fs:read"], { limit: 10 });
    expect(found.find(({ id }) => id === "json:parse")).toMatchObject({
      kind: "next_tool",
      reason: "It often follows fs:read.",
    });
    expect(found.find(({ id }) => id === "capability:import")).toMatchObject({
      kind: "capability",
      reason: "It uses fs:read too.",
    });
    expect(found.find(({ id }) => id === "db:insert")).toMatchObject({ kind: "tool" });
    for (const { reason, confidence } of found) {
      expect(reason).toMatch(/^It .+\.$/);
      expect(confidence > 0 && confidence <= 1).toBe(true);
    }
  });

  it("names each thing once, the surest first, and nothing that is in use", () => {
    const inUse = ["fs:read", "json:parse"];
    const found = suggest(learned(), inUse, { limit: 10 });
    const ids = found.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => inUse.includes(id))).toEqual([]);
    const confidences = found.map(({ confidence }) => confidence);
    expect(confidences).toEqual([...confidences].sort((a, b) => b - a));
  });

  it("trusts a capability that succeeds more than one that fails", () => {
    const engine = learned();
    engine.observe([edge("capability:broken", "fs:read", "contains")]);
    for (let at = 0; at < 5; at++) {
      engine.observe([outcome("capability:import", true), outcome("capability:broken", false)]);
    }
    const order = suggest(engine, ["fs:read"], { limit: 20 }).map(({ id }) => id);
    expect(order.indexOf("capability:import")).toBeLessThan(order.indexOf("capability:broken"));
  });

  it("says through which tool a capability of the same community belongs", () => {
    const engine = new GraphRAGEngine();
    engine.observe([
      edge("a:1", "b:2"),
      edge("b:2", "c:3"),
      edge("a:1", "c:3"),
      edge("capability:x", "c:3", "contains"),
    ]);
    expect(suggest(engine, ["a:1"]).find(({ id }) => id === "capability:x")?.reason).toBe(
      "It uses c:3, which belongs with a:1.",
    );
  });

  it("never suggests a pure operation", () => {
    const engine = new GraphRAGEngine();
    engine.observe(factsFromRun(runOf("t", "a:1", "code:map", "b:2")));
    expect(suggest(engine, ["a:1", "code:map"], { limit: 20 }).map(({ id }) => id)).toEqual(["b:2"]);
  });

  it.each([[[]], [["no:where"]], [["__proto__"]]])("has nothing to say of %j in an empty graph", (inUse) => {
    expect(suggest(new GraphRAGEngine(), inUse)).toEqual([]);
  });

  it.each(HOSTILE_NAMES)("suggests a tool called %j", (name) => {
    const engine = new GraphRAGEngine();
    engine.observe(factsFromRun(runOf("t", "a:1", name)));
    expect(suggest(engine, ["a:1"])[0]?.id).toBe(name);
  });
});

function learned(): GraphRAGEngine {
  const engine = new GraphRAGEngine();
  for (const trace of ["1", "2", "3"]) {
    engine.observe(factsFromRun(runOf(trace, "fs:read", "json:parse", "db:insert")));
  }
  engine.observe(["fs:read", "json:parse", "db:insert"].map((tool) => edge("capability:import", tool, "contains")));
  return engine;
}

function outcome(node: string, success: boolean): Fact {
  return { kind: "outcome", node, success, durationMs: 1, position: 0 };
}
