import type { Recording } from "@pml/sandbox";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { useSandbox } from "./shared-sandbox.js";

const { run } = useSandbox();
const SEED = "00112233445566778899aabbccddeeff";
const WAIT = "await new Promise((done) => setTimeout(done, 3))";

describe("a recording", () => {
  it("gives a run the same times and random numbers again", async () => {
    const code = `const seen = []; for (let i = 0; i < 5; i++) { seen.push(Date.now(), Math.random(), +new Date()); ${WAIT} } return seen`;
    const first = await run({ code });
    const second = await run({ code, replay: first.recording });
    expect(second).toMatchObject({ status: "success", value: (first as { value: unknown }).value });
    expect(second.recording).toEqual(first.recording);
  });

  it("goes on with the real clock where it ends, so that an unfinished run can be resumed", async () => {
    const replay = { clock: [[1000, 2]] as [number, number][], randomSeed: SEED };
    const before = Date.now();
    const result = await run({ code: "return [Date.now(), Date.now(), Date.now()]", replay });
    const [first, second, third] = (result as { value: number[] }).value;
    expect([first, second]).toEqual([1000, 1000]);
    expect(third).toBeGreaterThanOrEqual(before);
  });

  it("is kept of a run that is cut off, up to its last call", async () => {
    const tools = [{ id: "a:b", call: () => 1 }];
    const code = "const t = Date.now(); await mcp.a.b(); console.log(t); for (;;) {}";
    const result = await run({ code, tools, limits: { timeoutMs: 200 } });
    expect(result.recording.clock).toHaveLength(1);
  });

  it("stays small however often the clock is read", async () => {
    const result = await run({ code: "for (let i = 0; i < 1e5; i++) Date.now()" });
    const reads = result.recording.clock.reduce((sum, [, times]) => sum + times, 0);
    expect(reads).toBe(1e5);
    expect(result.recording.clock.length).toBeLessThan(2000);
  });

  it("may be longer than any value may be", async () => {
    const times = Array.from({ length: 5000 }, (_, index): [number, number] => [1e12 + index, 1]);
    const code = "let sum = 0; for (let i = 0; i < 5000; i++) sum += Date.now() - 1e12; return sum";
    const replay = { clock: times, randomSeed: SEED };
    const result = await run({ code, replay, limits: { maxArgumentBytes: 100, maxResultBytes: 100 } });
    expect(result).toMatchObject({ status: "success", value: (5000 * 4999) / 2, recording: replay });
  });

  it("of any seed gives numbers in [0, 1), the same each time", async () => {
    const seed = fc.array(fc.constantFrom(..."0123456789abcdef"), { minLength: 32, maxLength: 32 });
    await fc.assert(
      fc.asyncProperty(seed, async (digits) => {
        const replay = { clock: [], randomSeed: digits.join("") };
        const code = "return Array.from({ length: 20 }, () => Math.random())";
        const [first, second] = await Promise.all([run({ code, replay }), run({ code, replay })]);
        const values = (first as { value: number[] }).value;
        expect(values.every((value) => value >= 0 && value < 1)).toBe(true);
        expect(second).toMatchObject({ value: values });
      }),
      { numRuns: 30 },
    );
  });

  it("of two runs has different seeds", async () => {
    const [first, second] = await Promise.all([run({ code: "" }), run({ code: "" })]);
    expect(first.recording.randomSeed).not.toBe(second.recording.randomSeed);
  });

  it.each<[what: string, replay: unknown]>([
    ["readings that are not pairs", { clock: [5], randomSeed: SEED }],
    ["a time that is not a number", { clock: [["now", 1]], randomSeed: SEED }],
    ["a count that is not whole", { clock: [[1000, 0.5]], randomSeed: SEED }],
    ["no readings at all", { randomSeed: SEED }],
    ["a short seed", { clock: [], randomSeed: "00" }],
    ["a seed that is not text", { clock: [], randomSeed: 5 }],
  ])("with %s is refused before anything runs", async (_, replay) => {
    const request = { code: "return 1", replay: replay as Recording };
    await expect(async () => run(request)).rejects.toMatchObject({ code: "SANDBOX_INVALID_OPTIONS" });
  });
});
