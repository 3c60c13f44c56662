import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { GraphError } from "../error.js";
import { decideScorer } from "./decide-scorer.js";
import { encodeQuestion, type ScoringQuestion } from "./decision.js";
import type { CandidateFacts } from "./features.js";
import { createLearnedScorer } from "./learned-scorer.js";
import { MODELS } from "./models.js";
import { createPathValues } from "./path-values.js";
import { createRandom, type SeededRandom } from "./random.js";
import { createSumTree } from "./sum-tree.js";

const NAMES = ["linear", "attention"] as const;

describe("a sum tree", () => {
  it("finds the index that a walk over the priorities finds", () => {
    const priorities = fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 1, maxLength: 70 });
    fc.assert(
      fc.property(priorities, fc.double({ min: 0, max: 0.999, noNaN: true }), (given, share) => {
        const tree = createSumTree(given.length);
        for (const [at, priority] of given.entries()) tree.put(at, priority);
        const sum = given.reduce((total, each) => total + each, 0);
        expect(tree.total).toBe(sum);
        fc.pre(sum > 0);
        let rest = share * sum;
        const expected = given.findIndex((each) => (rest -= each) < 0);
        expect(tree.findIndex(share * sum)).toBe(expected);
      }),
    );
  });
});

describe.each(NAMES)("the %s scorer", (model) => {
  it("ranks as the unlearned ranking does before it has learned", () => {
    const question = ask(createRandom(3));
    const scores = createLearnedScorer({ model }).score(question);
    expect(order(scores)).toEqual(order(question.candidates.map(({ unlearned }) => unlearned)));
  });

  it("has the derivative that differences show", () => {
    const random = createRandom(5);
    const decision = encodeQuestion(ask(random));
    const { prior, score, accumulate } = MODELS[model];
    const parameters = prior().map((value) => value + random.next() - 0.4);
    const slopes = Float64Array.from({ length: decision.count }, () => random.next() - 0.5);
    const gradient = new Float64Array(parameters.length);
    accumulate(parameters, decision, { slopes, gradient });
    const total = (at: Float64Array) =>
      score(at, decision).reduce((sum, each, index) => sum + each * slopes[index]!, 0);
    for (const [at, slope] of gradient.entries()) {
      const nudged = (by: number) => total(parameters.map((value, index) => (index === at ? value + by : value)));
      expect((nudged(1e-6) - nudged(-1e-6)) / 2e-6).toBeCloseTo(slope, 5);
    }
  });

  it("learns what the unlearned ranking misses, and the gate sees it", () => {
    const random = createRandom(11);
    const scorer = createLearnedScorer({ model });
    for (let at = 0; at < 400; at++) scorer.observe(...choose(random));
    const verdict = decideScorer(traces(random, 60), { score: scorer.score });
    expect(verdict).toMatchObject({ use: "learned", evidence: { traces: 60 } });
    expect(verdict.evidence.lower).toBeGreaterThan(0);
  });

  it("is the same for the same seed, and goes on from a snapshot as if nothing had happened", () => {
    const [random, again] = [createRandom(2), createRandom(2)];
    const [first, second] = [createLearnedScorer({ model }), createLearnedScorer({ model })];
    for (let at = 0; at < 40; at++) first.observe(...choose(random));
    for (let at = 0; at < 40; at++) second.observe(...choose(again));
    expect(second.snapshot()).toEqual(first.snapshot());
    const restored = createLearnedScorer({ model, snapshot: JSON.parse(JSON.stringify(first.snapshot())) });
    for (let at = 0; at < 40; at++) {
      const next = choose(random);
      first.observe(...next);
      restored.observe(...next);
    }
    expect(restored.snapshot()).toEqual(first.snapshot());
  });

  it("stays finite and bounded, whatever numbers come in", () => {
    const wild = fc.record(
      Object.fromEntries(Object.keys(facts(createRandom(1))).map((key) => [key, fc.double()])),
    ) as fc.Arbitrary<unknown> as fc.Arbitrary<CandidateFacts>;
    fc.assert(
      fc.property(fc.array(wild, { minLength: 1, maxLength: 5 }), fc.boolean(), (candidates, good) => {
        const scorer = createLearnedScorer({ model, rate: 10 });
        for (let at = 0; at < 5; at++) scorer.observe({ candidates }, { chosen: 0, reward: Number(good) });
        expect(scorer.snapshot().parameters.every((value) => Math.abs(value) <= 20)).toBe(true);
        expect([...scorer.score({ candidates })].every(Number.isFinite)).toBe(true);
      }),
    );
  });

  it.each([
    ["a choice that is not there", { chosen: 8, reward: 1 }],
    ["a choice between two", { chosen: 0.5, reward: 1 }],
    ["a reward of NaN", { chosen: 0, reward: Number.NaN }],
    ["a reward above one", { chosen: 0, reward: 2 }],
  ])("refuses %s and learns nothing from it", (_, choice) => {
    const scorer = createLearnedScorer({ model });
    const before = scorer.snapshot();
    expect(() => scorer.observe(ask(createRandom(1)), choice)).toThrow(GraphError);
    expect(scorer.snapshot()).toEqual(before);
  });

  it.each([[null], [{ version: 2 }], [{ version: 1, model, parameters: [Number.NaN] }]])(
    "refuses the snapshot %j",
    (snapshot) => {
      expect(() => createLearnedScorer({ model, snapshot: snapshot as never })).toThrow(GraphError);
    },
  );
});

describe("the gate", () => {
  it("keeps a scorer off that only guesses, and off when there are too few runs", () => {
    const random = createRandom(4);
    const guess = { score: ({ candidates }: ScoringQuestion) => candidates.map(() => random.next()) };
    expect(decideScorer(traces(random, 60), guess).use).toBe("unlearned");
    expect(decideScorer(traces(random, 5), guess)).toMatchObject({ use: "unlearned", evidence: { traces: 5 } });
  });

  it("never brings on a scorer that ranks as the unlearned ranking does, nor one that gives NaN", () => {
    const held = traces(createRandom(4), 60);
    expect(decideScorer(held, { score: ({ candidates }) => candidates.map(({ unlearned }) => unlearned) }).use).toBe(
      "unlearned",
    );
    expect(decideScorer(held, { score: ({ candidates }) => candidates.map(() => Number.NaN) }).use).toBe("unlearned");
  });
});

describe("values of paths", () => {
  it("come to what runs through a node come to", () => {
    const values = createPathValues();
    for (let at = 0; at < 300; at++) {
      values.observe(["start", "good", "end"], 1);
      values.observe(["start", "bad"], 0);
    }
    expect(values.get("good")).toBeGreaterThan(0.9);
    expect(values.get("bad")).toBeLessThan(0.1);
    expect(values.get("unseen")).toBe(0.5);
  });

  it("stay in [0, 1], and a snapshot restores to the same values", () => {
    const path = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 6 });
    fc.assert(
      fc.property(fc.array(fc.tuple(path, fc.double({ min: 0, max: 1, noNaN: true }))), (runs) => {
        const values = createPathValues();
        for (const [nodes, reward] of runs) values.observe(nodes, reward);
        const restored = createPathValues({ snapshot: JSON.parse(JSON.stringify(values.snapshot())) });
        expect(restored.snapshot()).toEqual(values.snapshot());
        for (const [, value] of values.snapshot().values) expect(value >= 0 && value <= 1).toBe(true);
      }),
    );
  });
});

function facts(random: SeededRandom): CandidateFacts {
  const next = () => random.next();
  return {
    unlearned: next(),
    successes: 10 * next(),
    failures: 3 * next(),
    coOccurrence: next(),
    follows: next(),
    position: next(),
    recency: next(),
    community: next(),
    pageRank: next(),
    intentLikeness: next(),
    pathValue: next(),
    repeated: 0,
  };
}

function ask(random: SeededRandom): ScoringQuestion {
  return {
    candidates: Array.from({ length: 8 }, () => facts(random)),
    neighbours: Array.from({ length: 5 }, (_, at) => ({
      likeness: random.next(),
      overlap: random.next(),
      reliability: random.next(),
      recency: random.next(),
      offers: [[at, random.next()] as const],
    })),
  };
}

/** In this world what follows and what is like the intent decide; the unlearned ranking knows neither. */
function choose(random: SeededRandom): [ScoringQuestion, { chosen: number; reward: number }] {
  const question = ask(random);
  const worth = question.candidates.map(({ follows, intentLikeness }) => follows + intentLikeness);
  return [question, { chosen: worth.indexOf(Math.max(...worth)), reward: 1 }];
}

function traces(random: SeededRandom, count: number) {
  return Array.from({ length: count }, () => ({
    decisions: [choose(random), choose(random)].map(([question, { chosen }]) => ({ question, chosen })),
  }));
}

function order(values: ArrayLike<number>): number[] {
  return [...Array(8).keys()].sort((a, b) => values[b]! - values[a]!);
}
