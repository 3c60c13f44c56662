import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { GraphError } from "../error.js";
import type { ContextKey } from "./context-key.js";
import { GRID_STEPS, stepAtLeast, stepOf } from "./outcome-counts.js";
import { DEFAULT_THRESHOLD_RULES } from "./threshold-rule.js";
import {
  createThresholds,
  judgeScore,
  type ThresholdDecision,
  type ThresholdOutcome,
  type Thresholds,
} from "./thresholds.js";

const outcome = fc.record({ score: fc.double({ min: 0, max: 1, noNaN: true }), wrong: fc.boolean() });
/** Mostly right and a loose target, so that there is something to prove. */
const LOOSE = { minOutcomes: 20, rules: { speculation: { target: 0.1 } } };
const outcomes = fc.array(
  fc.record({
    score: fc.double({ min: 0.5, max: 1, noNaN: true }),
    wrong: fc.nat(40).map((draw) => draw === 0),
  }),
  { minLength: 0, maxLength: 200, size: "max" },
);
const context = fc.constantFrom<ContextKey>(["speculation"], ["speculation", "a"], ["speculation", "a", "b"]);

describe("a threshold", () => {
  it.each([
    ["speculation", 0.85],
    ["alternative", 0.9],
    ["intentCache", 0.95],
  ])("for %s is the shipped %d and unproven until outcomes are there", (kind, shipped) => {
    const thresholds = createThresholds();
    observeAll(thresholds, [kind], repeat({ score: 0.97, wrong: false }, 99));
    expect(thresholds.get([kind])).toMatchObject({ threshold: shipped, proven: false, source: "shipped" });
  });

  it("falls to where outcomes prove the target, and says what it rests on", () => {
    const thresholds = createThresholds();
    observeAll(thresholds, ["speculation"], repeat({ score: 0.8, wrong: false }, 300));
    observeAll(thresholds, ["speculation"], repeat({ score: 0.7, wrong: true }, 20));
    const decision = thresholds.get(["speculation"]);
    expect(decision).toMatchObject({ proven: true, source: "learned", evidence: { above: 300, wrong: 0 } });
    expect(decision.threshold).toBeGreaterThan(0.7);
    expect(decision.threshold).toBeLessThanOrEqual(0.8);
    expect(decision.reason).toContain("0 of 300");
  });

  it("is raised by failures that speak against it, before there is proof of anything", () => {
    const thresholds = createThresholds();
    observeAll(thresholds, ["speculation"], repeat({ score: 0.88, wrong: true }, 3));
    expect(thresholds.get(["speculation"])).toMatchObject({ threshold: 0.885, proven: false, source: "braked" });
  });

  it("goes back to what was shipped when the outcomes it rested on are too old", () => {
    const thresholds = createThresholds({ generation: 10 });
    observeAll(thresholds, ["speculation"], repeat({ score: 0.88, wrong: true }, 3));
    observeAll(thresholds, ["speculation"], repeat({ score: 0.2, wrong: false }, 20));
    expect(thresholds.get(["speculation"])).toMatchObject({ threshold: 0.85, source: "shipped" });
  });

  it("stays within its bounds whatever was observed", () => {
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(DEFAULT_THRESHOLD_RULES)), fc.array(outcome), (kind, observed) => {
        const thresholds = createThresholds({ minOutcomes: 5 });
        observeAll(thresholds, [kind, "here"], observed);
        const { min = 1, max = 0 } = DEFAULT_THRESHOLD_RULES[kind] ?? {};
        const { threshold } = thresholds.get([kind, "here"]);
        expect(threshold).toBeGreaterThanOrEqual(min);
        expect(threshold).toBeLessThanOrEqual(max);
      }),
    );
  });

  it("never falls when an outcome turns from right to wrong", () => {
    fc.assert(
      fc.property(outcomes, fc.nat(), context, (observed, pick, where) => {
        const at = pick % Math.max(1, observed.length);
        const worse = observed.map((each, index) => (index === at ? { ...each, wrong: true } : each));
        const better = observed.map((each, index) => (index === at ? { ...each, wrong: false } : each));
        expect(thresholdAfter(where, worse)).toBeGreaterThanOrEqual(thresholdAfter(where, better));
      }),
    );
  });

  it("never falls by one more failure once it is proven", () => {
    fc.assert(
      fc.property(outcomes, fc.double({ min: 0, max: 1, noNaN: true }), (observed, score) => {
        const thresholds = createThresholds(LOOSE);
        observeAll(thresholds, ["speculation"], observed);
        const before = thresholds.get(["speculation"]);
        fc.pre(before.proven);
        thresholds.observe(["speculation"], { score, wrong: true });
        expect(thresholds.get(["speculation"]).threshold).toBeGreaterThanOrEqual(before.threshold);
      }),
    );
  });

  it("does not depend on the order of outcomes within a generation", () => {
    fc.assert(
      fc.property(outcomes, fc.integer(), (observed, seed) => {
        const shuffled = shuffle(observed, createRandom(seed));
        expect(decisionAfter(["speculation"], shuffled)).toEqual(decisionAfter(["speculation"], observed));
      }),
    );
  });

  it("puts a score on the step at or below it, and a threshold on that at or above it", () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (value) => {
        expect(stepOf(value) / GRID_STEPS).toBeLessThanOrEqual(value);
        expect((stepOf(value) + 1) / GRID_STEPS).toBeGreaterThan(value);
        expect(stepAtLeast(value) / GRID_STEPS).toBeGreaterThanOrEqual(value);
      }),
    );
  });
});

describe("contexts", () => {
  it("that are rare take the threshold of the more general one", () => {
    const thresholds = createThresholds();
    observeAll(thresholds, ["speculation", "busy"], repeat({ score: 0.7, wrong: false }, 300));
    expect(thresholds.get(["speculation", "rare"])).toMatchObject({ proven: true, decidedBy: ["speculation"] });
    expect(thresholds.get(["speculation", "rare"]).threshold).toBeLessThanOrEqual(0.7);
  });

  it("keep to their own failures, though all around them goes well", () => {
    const thresholds = createThresholds();
    observeAll(thresholds, ["speculation", "good"], repeat({ score: 0.95, wrong: false }, 900));
    observeAll(thresholds, ["speculation", "bad"], repeat({ score: 0.95, wrong: true }, 3));
    expect(thresholds.get(["speculation", "bad"])).toMatchObject({ threshold: 0.955, source: "braked" });
    expect(thresholds.get(["speculation", "good"])).toMatchObject({ proven: true });
  });

  it("of one kind say nothing about another", () => {
    const thresholds = createThresholds();
    observeAll(thresholds, ["speculation"], repeat({ score: 0.95, wrong: true }, 30));
    expect(thresholds.get(["alternative"]).threshold).toBe(0.9);
  });

  it("are no more than the host allows, and the general one is the last to go", () => {
    const thresholds = createThresholds({ maxContexts: 3 });
    for (let at = 0; at < 20; at++) thresholds.observe(["speculation", `c${at}`], { score: 0.9, wrong: false });
    const kept = thresholds.snapshot().contexts.map((each) => each.context.join("/"));
    expect(kept).toEqual(["speculation/c18", "speculation/c19", "speculation"]);
  });
});

describe("a snapshot of thresholds", () => {
  it("is plain JSON that restores to the same thresholds", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(context, outcome)), fc.array(fc.tuple(context, outcome)), (before, after) => {
        const first = createThresholds({ generation: 20 });
        for (const [where, each] of before) first.observe(where, each);
        const snapshot = JSON.parse(JSON.stringify(first.snapshot()));
        const second = createThresholds({ generation: 20, snapshot });
        expect(second.snapshot()).toEqual(first.snapshot());
        for (const thresholds of [first, second]) for (const [where, each] of after) thresholds.observe(where, each);
        expect(second.get(["speculation", "a", "b"])).toEqual(first.get(["speculation", "a", "b"]));
        expect(second.snapshot()).toEqual(first.snapshot());
      }),
    );
  });

  it.each([
    ["nothing", null],
    ["another version", { version: 2, steps: GRID_STEPS, contexts: [] }],
    ["another grid", { version: 1, steps: 7, contexts: [] }],
    ["negative counts", snapshotOf([[170, -1, 0]])],
    ["counts that are no numbers", snapshotOf([[170, "1", 0]])],
    ["a step off the grid", snapshotOf([[GRID_STEPS + 1, 1, 0]])],
    ["rows that are none", snapshotOf("rows")],
  ])("is refused when it has %s", (_, snapshot) => {
    expect(() => createThresholds({ snapshot: snapshot as never })).toThrow(GraphError);
  });
});

describe("what cannot be used", () => {
  it.each([
    ["a score of NaN", { score: Number.NaN, wrong: true }],
    ["a score above one", { score: 1.01, wrong: true }],
    ["a score that is text", { score: "1", wrong: true }],
    ["no word on whether it was wrong", { score: 1 }],
  ])("%s is refused and leaves no mark", (_, given) => {
    const thresholds = createThresholds();
    expect(() => thresholds.observe(["speculation"], given as never)).toThrow(GraphError);
    expect(thresholds.snapshot().contexts).toEqual([]);
  });

  it.each([[[]], [["unheard"]], [["__proto__"]], [["speculation", ""]], [["speculation", 3]], ["speculation"]])(
    "the context %j is refused",
    (where) => {
      expect(() => createThresholds().get(where as never)).toThrow(GraphError);
    },
  );

  it.each([
    [{ brakeConfidence: 1 }],
    [{ rules: { speculation: { floor: { shipped: 0.4, max: 0.3, missed: 0.05 } } } }],
    [{ rules: { speculation: { floor: { shipped: 0, max: 0.3, missed: 0 } } } }],
    [{ minOutcomes: 0 }],
    [{ rules: { speculation: { target: 0 } } }],
    [{ rules: { speculation: { min: 0.9 } } }],
    [{ rules: { mine: { target: 0.1 } } }],
  ])("the options %j are refused", (options) => {
    expect(() => createThresholds(options)).toThrow(GraphError);
  });
});

describe("a proof", () => {
  it("takes a hundred outcomes at one in a hundred, and is undone by one that is wrong", () => {
    const thresholds = createThresholds();
    observeAll(thresholds, ["speculation"], repeat({ score: 0.9, wrong: false }, 100));
    expect(thresholds.get(["speculation"])).toMatchObject({ threshold: 0.9, proven: true, evidence: { needed: 100 } });
    thresholds.observe(["speculation"], { score: 0.95, wrong: true });
    expect(thresholds.get(["speculation"])).toMatchObject({ proven: false, source: "braked" });
  });

  it("says nothing of scores at which nothing was decided", () => {
    const thresholds = createThresholds();
    observeAll(thresholds, ["speculation"], repeat({ score: 0.97, wrong: false }, 5000));
    expect(thresholds.get(["speculation"]).threshold).toBe(0.97);
  });

  it("lets the next one be wrong no more often than the bound, whatever the outcomes are, drawn in any order", () => {
    fc.assert(
      fc.property(outcomes, (drawn) => {
        // Each is the next one, once: the promise is about all of them together.
        const wrongRuns = drawn.filter(({ score, wrong }, at) => {
          const rest = drawn.filter((_, other) => other !== at);
          const { threshold, proven } = judgeLoosely(rest);
          return proven && wrong && score >= threshold;
        });
        expect(wrongRuns.length).toBeLessThanOrEqual(LOOSE.rules.speculation.target * drawn.length);
      }),
      { numRuns: 40 },
    );
  });
});

describe("a floor", () => {
  const where: ContextKey = ["speculation"];

  it("is the shipped one until there are outcomes, and none where there is no rule for it", () => {
    expect(createThresholds().get(where).floor).toBe(0.02);
    expect(createThresholds().get(["alternative"]).floor).toBe(0);
  });

  it("rises to under what was meant, of which it misses no more than it may, and not beyond its bound", () => {
    const thresholds = createThresholds();
    observeAll(thresholds, where, repeat({ score: 0.2, wrong: false }, 3));
    observeAll(thresholds, where, repeat({ score: 0.9, wrong: false }, 90));
    expect(thresholds.get(where).floor).toBe(0.3);
    observeAll(thresholds, where, repeat({ score: 0.1, wrong: false }, 3));
    expect(thresholds.get(where).floor).toBe(0.2);
    observeAll(thresholds, where, repeat({ score: 0, wrong: false }, 10));
    expect(thresholds.get(where).floor).toBe(0);
  });

  it.each([
    [0.9, "run"],
    [0.85, "run"],
    [0.5, "suggest"],
    [0.01, "abstain"],
  ] as const)("and a threshold make of %d: %s", (score, said) => {
    expect(judgeScore(createThresholds().get(where), score)).toBe(said);
  });

  it("is never above the threshold", () => {
    fc.assert(
      fc.property(outcomes, (observed) => {
        const { floor, threshold } = judgeLoosely(observed);
        expect(floor).toBeLessThanOrEqual(threshold);
      }),
    );
  });
});

describe("hosts over time", () => {
  const TARGET = 0.02;
  const HOSTS = 30;
  const REQUESTS = 600;
  // The chance of being wrong at each score; hosts whose calibration is better and worse than was assumed.
  it.each([
    ["well calibrated", (score: number) => (1 - score) * 0.2],
    ["overconfident", (score: number) => (score > 0.97 ? 0.005 : 0.15)],
    ["right about everything", () => 0.001],
    ["never good enough", () => 0.06],
  ])("that are %s and look after every request keep within the target once there is a proof", (_, wrongAt) => {
    let wrong = 0;
    for (let host = 1; host <= HOSTS; host++) {
      const random = createRandom(host * 7919);
      const thresholds = createThresholds({ rules: { speculation: { target: TARGET } } });
      for (let at = 0; at < REQUESTS; at++) {
        const { threshold, proven } = thresholds.get(["speculation"]);
        const next = draw(random, wrongAt);
        if (proven && next.score >= threshold && next.wrong) wrong++;
        thresholds.observe(["speculation"], next);
      }
    }
    expect(wrong).toBeLessThanOrEqual(TARGET * HOSTS * REQUESTS);
  });
});

function judgeLoosely(observed: readonly ThresholdOutcome[]): ThresholdDecision {
  const thresholds = createThresholds(LOOSE);
  observeAll(thresholds, ["speculation"], observed);
  return thresholds.get(["speculation"]);
}

function observeAll(thresholds: Thresholds, where: ContextKey, observed: readonly ThresholdOutcome[]): void {
  for (const each of observed) thresholds.observe(where, each);
}

function decisionAfter(where: ContextKey, observed: readonly ThresholdOutcome[]): unknown {
  const thresholds = createThresholds(LOOSE);
  observeAll(thresholds, where, observed);
  return [thresholds.get(where), thresholds.snapshot()];
}

function thresholdAfter(where: ContextKey, observed: readonly ThresholdOutcome[]): number {
  const thresholds = createThresholds(LOOSE);
  observeAll(thresholds, where, observed);
  return thresholds.get(where).threshold;
}

function repeat(each: ThresholdOutcome, times: number): ThresholdOutcome[] {
  return Array.from({ length: times }, () => each);
}

function snapshotOf(rows: unknown): unknown {
  return { version: 1, steps: GRID_STEPS, contexts: [{ context: ["speculation"], younger: rows, elder: [] }] };
}

function draw(random: () => number, wrongAt: (score: number) => number): ThresholdOutcome {
  const score = 0.6 + 0.4 * random();
  return { score, wrong: random() < wrongAt(score) };
}

function shuffle<Item>(items: readonly Item[], random: () => number): Item[] {
  return items
    .map((item) => ({ item, key: random() }))
    .sort((left, right) => left.key - right.key)
    .map(({ item }) => item);
}

/** Marsaglia's xorshift, 2003. */
function createRandom(seed: number): () => number {
  let state = (seed ^ 0x9e3779b9) | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
