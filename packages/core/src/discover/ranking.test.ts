import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { Candidate } from "./candidate.js";
import { fuse } from "./fusion.js";
import { IntentMemory } from "./intent-memory.js";
import { CandidateIndex } from "./ranker-scores.js";
import { recall } from "./recall.js";
import { findNearestRequest, judgeSame } from "./same-request.js";
import { listWords } from "./words.js";

const vector = fc
  .array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 4, maxLength: 4 })
  .map((values) => Float32Array.from(values));
const candidate = fc.record({
  id: fc.string(),
  name: fc.string(),
  description: fc.string(),
  vectors: fc.array(vector),
});
const candidates = fc.uniqueArray(candidate, { selector: ({ id }) => id, maxLength: 12 });
const query = fc.record({ text: fc.string({ unit: "binary" }), vector });

describe("ranking", () => {
  it("gives a finite score to every candidate, whatever they and the query are", () => {
    fc.assert(
      fc.property(candidates, query, (all, asked) => {
        const scores = fuse(new CandidateIndex(all).score(asked));
        expect(scores).toHaveLength(all.length);
        expect(scores.every(Number.isFinite)).toBe(true);
      }),
    );
  });

  it("does not depend on the order of the candidates", () => {
    fc.assert(
      fc.property(candidates, query, (all, asked) => {
        const forwards = new CandidateIndex(all).score(asked).lexical;
        const backwards = new CandidateIndex([...all].reverse()).score(asked).lexical.reverse();
        for (const [row, score] of forwards.entries()) expect(backwards[row]).toBeCloseTo(score, 6);
      }),
    );
  });

  it("is left as it was by a memory of nothing", () => {
    const vectors = [Float32Array.of(0, 1)];
    const index = new CandidateIndex(["a", "b"].map((id) => ({ id, name: id, description: id, vectors })));
    const asked = { text: "b", vector: Float32Array.of(1, 0) };
    expect(recall(IntentMemory.create(index, []).score(asked))).toEqual(fuse(index.score(asked)));
  });

  it("puts first what served the same intent before", () => {
    const vectors = [Float32Array.of(0, 1)];
    const all: Candidate[] = ["a", "b", "c"].map((id) => ({ id, name: id, description: "", vectors }));
    const asked = { text: "water the plants", vector: Float32Array.of(1, 0) };
    const memory = IntentMemory.create(new CandidateIndex(all), [{ ...asked, candidateIds: ["c"] }]);
    const scores = recall(memory.score(asked));
    expect(scores.indexOf(Math.max(...scores))).toBe(2);
  });
});

describe("what was learned", () => {
  it("gives a finite score to every candidate, whatever was asked and served", () => {
    const past = fc.array(fc.record({ text: fc.string(), vector, candidateIds: fc.array(fc.string()) }), {
      maxLength: 6,
    });
    fc.assert(
      fc.property(candidates, past, query, (all, intents, asked) => {
        const scores = recall(IntentMemory.create(new CandidateIndex(all), intents).score(asked));
        expect(scores).toHaveLength(all.length);
        expect(scores.every(Number.isFinite)).toBe(true);
      }),
      { numRuns: 40 },
    );
  });
});

describe("listWords", () => {
  it.each([
    ["getHTTPStatus_codes", ["get", "http", "status", "code"]],
    ["fs:read-file", ["fs", "read", "fil"]],
    ["élèves", ["elev"]],
    ["", []],
  ])("reads %j", (text, words) => {
    expect(listWords(text).map((word) => word.replace(/e$/, ""))).toEqual(words.map((word) => word.replace(/e$/, "")));
  });
});

describe("judgeSame", () => {
  const stored = [
    { id: "a", text: "Convert 'a.wav' to text", vector: Float32Array.of(1, 0), toolIds: ["speech"] },
    { id: "b", text: "Draw a picture of a cat", vector: Float32Array.of(0, 1), toolIds: ["image"] },
  ];

  it("is surer of a request in the same words than of another one", () => {
    const same = findNearestRequest({ text: "Convert 'a.wav' to text", vector: Float32Array.of(1, 0) }, stored);
    const other = findNearestRequest({ text: "Book a flight", vector: Float32Array.of(0.6, 0.5) }, stored);
    expect(same && judgeSame(same)).toBeGreaterThan((other && judgeSame(other)) ?? 1);
  });

  it("has nothing to say of an empty memory", () => {
    expect(findNearestRequest({ text: "x", vector: Float32Array.of(1, 0) }, [])).toBeUndefined();
  });
});
