import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import {
  type CallEvent,
  type DecidedRun,
  mergeRuns,
  mergeStructure,
  reconstructDag,
  type TakenPath,
} from "../src/index.js";
import { chain, runOf } from "./run.js";

describe("reconstructDag", () => {
  it("takes an argument from the call that returned it, down to the field", () => {
    const [find, send] = chain("users:find", "mail:send") as [CallEvent, CallEvent];
    const calls = [
      { ...find, args: { name: "Ada" }, result: { users: [{ mail: "ada@example.org" }] } },
      { ...send, args: { to: ["ada@example.org"], text: "Hello" } },
    ];
    expect(reconstructDag({ trace: "t", calls }).tasks).toMatchObject([
      { id: "t1", tool: "users:find", arguments: { name: "Ada" }, dependsOn: [] },
      {
        id: "t2",
        tool: "mail:send",
        arguments: { to: [{ $from: "t1", path: ["users", 0, "mail"] }], text: "Hello" },
        dependsOn: ["t1"],
      },
    ]);
  });

  it("takes a whole result without a path, and the latest of equal values", () => {
    const [first, second, third] = chain("a:1", "b:2", "c:3") as [CallEvent, CallEvent, CallEvent];
    const calls = [
      { ...first, result: "the value" },
      { ...second, result: "the value" },
      { ...third, args: { x: "the value" } },
    ];
    expect(reconstructDag({ trace: "t", calls }).tasks[2]?.arguments).toEqual({ x: { $from: "t2" } });
  });

  it("keeps in parallel what ran in parallel, and joins it after", () => {
    const calls = [
      { id: "1", name: "a:1", startMs: 0, endMs: 5, success: true },
      { id: "2", name: "b:2", startMs: 1, endMs: 4, success: true },
      { id: "3", name: "c:3", startMs: 6, endMs: 7, success: true },
    ];
    expect(reconstructDag({ trace: "t", calls }).tasks.map(({ dependsOn }) => dependsOn)).toEqual([
      [],
      [],
      ["t1", "t2"],
    ]);
  });

  it("protects data that looks like a reference", () => {
    const [call] = chain("a:1") as [CallEvent];
    const calls = [{ ...call, args: { x: { $from: "t7" }, y: { $param: "z" } } }];
    expect(reconstructDag({ trace: "t", calls }).tasks[0]?.arguments).toEqual({
      x: { $literal: { $from: "t7" } },
      y: { $literal: { $param: "z" } },
    });
  });

  it("leaves out operations and what capabilities did inside", () => {
    const calls = [...chain("capability:c", "code:map"), { ...chain("in:side")[0]!, id: "x", parentId: "c0" }];
    expect(reconstructDag({ trace: "t", calls }).tasks).toMatchObject([{ tool: "capability:c", type: "capability" }]);
  });

  it("gives tasks that depend on earlier ones only, whatever ran", () => {
    const times = fc.array(
      fc.record({ start: fc.nat(20), lasts: fc.nat(5), value: fc.constantFrom("one", "two", "three") }),
      {
        maxLength: 12,
      },
    );
    fc.assert(
      fc.property(times, (given) => {
        const calls = given.map(({ start, lasts, value }, at) => ({
          id: `c${at}`,
          name: `x:${value}`,
          startMs: start,
          endMs: start + lasts,
          success: true,
          args: { value: `${value} more` },
          result: { value: `${value} more` },
        }));
        reconstructDag({ trace: "t", calls }).tasks.forEach(({ id, dependsOn }, at) => {
          expect(id).toBe(`t${at + 1}`);
          for (const before of dependsOn) expect(Number(before.slice(1))).toBeLessThanOrEqual(at);
        });
      }),
    );
  });

  it("keeps arguments called like built-in properties", () => {
    const [call] = chain("a:1") as [CallEvent];
    const args = JSON.parse('{"__proto__": {"x": 1}, "constructor": 2}') as object;
    const [task] = reconstructDag({ trace: "t", calls: [{ ...call, args }] }).tasks;
    expect(Object.keys(task?.arguments ?? {})).toEqual(["__proto__", "constructor"]);
    expect(({} as Record<string, unknown>)["x"]).toBeUndefined();
  });
});

describe("mergeRuns", () => {
  it("counts paths and decisions, and finds the path that most successes took", () => {
    const learning = mergeRuns([
      path("ab", false),
      path("ab", false),
      path("ab", true),
      path("ac", true, "false"),
      path("ac", true, "false"),
    ]);
    expect(learning.runs).toBe(5);
    expect(learning.paths[0]).toMatchObject({ nodes: ["a", "b"], count: 3, averageMs: 10 });
    expect(learning.paths[0]?.successRate).toBeCloseTo(1 / 3);
    expect(learning.dominantPath).toEqual(["a", "c"]);
    expect(learning.decisions).toEqual([
      { nodeId: "d1", outcome: "true", count: 3, share: 0.6 },
      { nodeId: "d1", outcome: "false", count: 2, share: 0.4 },
    ]);
  });

  it("has no dominant path before the first success", () => {
    expect(mergeRuns([path("ab", false)]).dominantPath).toBeUndefined();
    expect(mergeRuns([])).toEqual({ runs: 0, paths: [], dominantPath: undefined, decisions: [] });
  });

  it("does not depend on the order of runs", () => {
    const run = fc.record({
      nodes: fc.array(fc.constantFrom("a", "b", "__proto__"), { maxLength: 3 }),
      decisions: fc.array(
        fc.record({ nodeId: fc.constantFrom("d1", "__proto__"), outcome: fc.constantFrom("true", "false") }),
      ),
      success: fc.boolean(),
      durationMs: fc.nat(50),
    });
    fc.assert(
      fc.property(fc.array(run), (runs) => {
        const { dominantPath, ...rest } = mergeRuns(runs);
        const reversed = mergeRuns([...runs].reverse());
        expect(reversed).toMatchObject({ runs: rest.runs, paths: rest.paths, decisions: rest.decisions });
        expect(reversed.dominantPath).toEqual(dominantPath);
      }),
    );
  });
});

describe("mergeStructure", () => {
  const long: DecidedRun = { ...runOf("1", "a:1", "b:2", "d:4"), decisions: [{ nodeId: "d1", outcome: "true" }] };
  const short: DecidedRun = { ...runOf("2", "a:1", "c:3", "d:4"), decisions: [{ nodeId: "d1", outcome: "false" }] };

  it("lays the branches of several runs over each other, with how often each was taken", () => {
    const merged = mergeStructure([long, short, long]);
    expect(merged.runs).toBe(3);
    expect(merged.steps).toMatchObject([
      { id: "a:1", count: 3, share: 1 },
      { id: "d:4", count: 3, share: 1 },
      { id: "b:2", count: 2, when: { decision: "d1", outcome: "true" } },
      { id: "c:3", count: 1, when: { decision: "d1", outcome: "false" } },
    ]);
    expect(merged.edges[0]).toEqual({ from: "a:1", to: "b:2", count: 2 });
    expect(merged.edges).toHaveLength(4);
    expect(merged.branches).toMatchObject([
      { decision: "d1", outcome: "true", count: 2 },
      { decision: "d1", outcome: "false", count: 1 },
    ]);
  });

  it("aligns calls by the node of the structure, a loop's as one, and else by which call of the tool it is", () => {
    const looped = { trace: "t", calls: chain("a:1", "a:1").map((call) => ({ ...call, nodeId: "n1" })) };
    expect(mergeStructure([looped]).steps).toEqual([{ id: "n1", tool: "a:1", count: 1, share: 1 }]);
    expect(mergeStructure([runOf("t", "a:1", "a:1")]).steps.map(({ id }) => id)).toEqual(["a:1", "a:1#2"]);
  });

  it("claims no guard that a run contradicts", () => {
    const against = { ...long, decisions: [{ nodeId: "d1", outcome: "false" }] };
    expect(mergeStructure([long, short, against]).steps.find(({ id }) => id === "b:2")).not.toHaveProperty("when");
  });

  it("does not depend on the order of runs", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(long, short, runOf("3", "a:1"))), (runs) => {
        expect(mergeStructure([...runs].reverse())).toEqual(mergeStructure(runs));
      }),
    );
  });
});

function path(nodes: string, success: boolean, outcome = "true"): TakenPath {
  return { nodes: [...nodes], decisions: [{ nodeId: "d1", outcome }], success, durationMs: 10 };
}
