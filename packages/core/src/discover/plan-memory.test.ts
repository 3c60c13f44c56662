import { describe, expect, it } from "vitest";

import type { Candidate, PastIntent } from "./candidate.js";
import { fitChance } from "./logistic.js";
import { listClauses, locateMentions } from "./mention-order.js";
import { PlanMemory } from "./plan-memory.js";
import { TextVectors } from "./text-vectors.js";

const TOPICS = ["water", "music", "mail", "maps"];
const candidates: Candidate[] = TOPICS.map((topic, at) => ({
  id: `x:${topic}`,
  name: topic,
  description: `Handles ${topic}`,
  vectors: [axis(at)],
}));
const past: PastIntent[] = Array.from({ length: 40 }, (_, at) => {
  const [first, second] = [at % 4, (at + 1) % 4];
  return {
    text: `please do ${TOPICS[first]} and ${TOPICS[second]} number ${at}`,
    vector: axis(first, second),
    candidateIds: [`x:${TOPICS[first]}`, `x:${TOPICS[second]}`],
  };
});

describe("PlanMemory", () => {
  it("gives all the tools that a request takes a higher chance than the others", () => {
    const chances = PlanMemory.create(candidates, past).score({ text: "do music and mail", vector: axis(1, 2) });
    expect(Math.min(chances[1] ?? 0, chances[2] ?? 0)).toBeGreaterThan(Math.max(chances[0] ?? 1, chances[3] ?? 1));
    for (const chance of chances) expect(chance >= 0 && chance <= 1).toBe(true);
  });

  it("knows nothing when nothing is past", () => {
    const memory = PlanMemory.create(candidates, []);
    expect([...memory.score({ text: "anything", vector: axis(0) })]).toEqual([0, 0, 0, 0]);
    expect(memory.listNearest({ text: "anything", vector: axis(0) }, 3)).toEqual([]);
  });

  it("stays finite with one past intent, unknown tools and empty texts", () => {
    const odd: PastIntent[] = [{ text: "", vector: axis(0), candidateIds: ["__proto__", "x:water"] }];
    const chances = PlanMemory.create(candidates, odd).score({ text: "", vector: new Float32Array(4) });
    expect([...chances].every(Number.isFinite)).toBe(true);
  });

  it("lists the nearest past intents first", () => {
    const near = PlanMemory.create(candidates, past).listNearest({ text: "mail and maps", vector: axis(2, 3) }, 5);
    expect(near[0]?.intent.candidateIds).toEqual(["x:mail", "x:maps"]);
    expect(near).toHaveLength(5);
  });
});

describe("locateMentions", () => {
  it("finds the clause that speaks of a tool, by words or by meaning", () => {
    const texts = listClauses("Play some music, then look at 'mail and maps.txt' on the maps and send a letter.");
    const clauses = texts.map((text) => ({ text, ...(text.includes("letter") ? { vector: axis(2) } : {}) }));
    const order = locateMentions(clauses, candidates);
    const [music = 0, mail = 0, maps = 0] = ["x:music", "x:mail", "x:maps"].map((id) => order.get(id));
    expect(music).toBeLessThan(maps);
    expect(maps).toBeLessThan(mail);
  });

  it.each(["", "...", "'only quoted'"])("has one clause at least in %j", (text) => {
    expect(listClauses(text)).toHaveLength(1);
  });
});

describe("TextVectors", () => {
  it("is 1 of the same words and 0 of none, whatever they are called", () => {
    const texts = TextVectors.create(["__proto__ constructor", "green tea"]);
    expect(texts.score("constructor __proto__", 2)[0]).toBeCloseTo(1);
    expect(texts.score("black coffee", 2)).toEqual(new Float64Array(2));
  });
});

describe("fitChance", () => {
  it("learns which side of a line is which, and stays finite where the line is sharp", () => {
    const rows = Array.from({ length: 50 }, (_, at) => [at / 50, 1]);
    const chance = fitChance(
      rows,
      rows.map(([x = 0]) => x > 0.5),
    );
    expect(chance([0.9, 1])).toBeGreaterThan(0.9);
    expect(chance([0.1, 1])).toBeLessThan(0.1);
  });
});

function axis(...at: readonly number[]): Float32Array {
  return Float32Array.from({ length: 4 }, (_, index) => (at.includes(index) ? 1 / Math.sqrt(at.length) : 0));
}
