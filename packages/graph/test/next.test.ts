import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { factsFromRun, GraphRAGEngine, predictNext } from "../src/index.js";
import { HOSTILE_NAMES, runOf } from "./run.js";

const learned = (...runs: readonly (readonly string[])[]): GraphRAGEngine["paths"] => {
  const engine = new GraphRAGEngine();
  runs.forEach((names, at) => engine.observe(factsFromRun(runOf(`t${at}`, ...names))));
  return engine.paths;
};

describe("predictNext", () => {
  it("puts first what followed most often", () => {
    const paths = learned(["a:1", "b:2"], ["a:1", "b:2"], ["a:1", "c:3"]);
    expect(predictNext(paths, ["a:1"]).map(({ id }) => id)).toEqual(["b:2", "c:3", "a:1"]);
    expect(predictNext(paths, ["a:1"])[0]?.reason).toBe("often follows a:1");
  });

  it("believes a longer context over a shorter one, as far as it has been seen", () => {
    const paths = learned(
      ["x:0", "a:1", "c:3"],
      ["x:0", "a:1", "c:3"],
      ...Array.from({ length: 5 }, () => ["y:9", "a:1", "b:2"]),
    );
    expect(predictNext(paths, ["x:0", "a:1"])[0]?.id).toBe("c:3");
    expect(predictNext(paths, ["never:seen", "a:1"])[0]?.id).toBe("b:2");
  });

  it("knows how runs begin", () => {
    const paths = learned(["a:1", "b:2"], ["a:1", "c:3"], ["b:2"]);
    expect(predictNext(paths, [])[0]).toMatchObject({ id: "a:1", reason: "often begins a run" });
  });

  it("falls back on what is usual at all, when the last step is new", () => {
    const paths = learned(["a:1", "b:2"], ["c:3", "b:2"]);
    expect(predictNext(paths, ["new:step"])[0]?.id).toBe("b:2");
  });

  it("lets the intent decide between what follows equally often, and bring in what was never seen", () => {
    const paths = learned(["a:1", "b:2"], ["a:1", "c:3"]);
    const likeness = new Map([
      ["c:3", 0.9],
      ["z:9", 0.8],
    ]);
    const found = predictNext(paths, ["a:1"], { likeness });
    expect(found[0]?.id).toBe("c:3");
    expect(found.find(({ id }) => id === "z:9")?.reason).toBe("is like what was asked for");
  });

  it("gives no more than asked for", () => {
    expect(predictNext(learned(["a:1", "b:2"], ["a:1", "c:3"]), ["a:1"], { limit: 1 })).toHaveLength(1);
    expect(predictNext(learned(), ["a:1"])).toEqual([]);
  });

  it.each(HOSTILE_NAMES)("predicts a step called %j", (name) => {
    expect(predictNext(learned(["a:1", name]), ["a:1"])[0]?.id).toBe(name);
  });

  it("keeps scores within 0 and 1, and in order", () => {
    const id = fc.constantFrom("a", "b", "c", "__proto__");
    fc.assert(
      fc.property(fc.array(fc.array(id, { maxLength: 5 })), fc.array(id, { maxLength: 4 }), (runs, done) => {
        const scores = predictNext(learned(...runs), done).map(({ score }) => score);
        for (const score of scores) expect(score >= 0 && score <= 1).toBe(true);
        expect(scores).toEqual([...scores].sort((a, b) => b - a));
      }),
    );
  });
});
