import type { Evaluation, Pml, PmlOptions, Share } from "@pml/core";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { codeOf, opaque, TASKS, teach as teachWith } from "./evaluate-world.js";
import { createTextTools, runSteps } from "./forget-world.js";
import { createFileTools, usePml } from "./pml-world.js";

const { open, model } = usePml();

const NOTHING = { share: undefined, interval: undefined };

const teach = (wordings: readonly (0 | 1)[], options: PmlOptions = {}): Promise<Pml> =>
  teachWith(open, wordings, { embedder: model, ...options });

describe("recall", () => {
  it("is that of what was learned from other words, with how many it rests on", async () => {
    const pml = await teach([0, 1]);
    const { intents, recall } = await pml.evaluate();
    expect(intents).toEqual({ served: 14, repeats: 0, leaked: { names: 0, descriptions: 0 }, asked: 14, copied: 0 });
    expect(recall.known.chosen).toMatchObject({ count: 14, of: 14, share: 1, interval: { high: 1 } });
    expect(recall.known.chosen.interval?.low).toBeCloseTo(0.785, 2);
    expect(recall.known.amongFive).toMatchObject({ count: 14, of: 14 });
    expect(recall.known.run.count + recall.known.wrong.count).toBeLessThanOrEqual(14);
    expect(recall.unknown.wrong).toEqual({ count: 0, of: 0, ...NOTHING });
  });

  it("finds nothing that only the intent itself has taught, however often it was asked", async () => {
    const pml = await teach([0]);
    for (const text of ["y", "z"])
      await pml.execute({ intent: TASKS[0][0].toUpperCase(), code: codeOf(0), context: { text } });
    const { intents, recall } = await pml.evaluate();
    expect(intents).toMatchObject({ served: 9, repeats: 2, asked: 7 });
    expect(recall.known.chosen.of).toBe(0);
    expect(recall.unknown.wrong).toMatchObject({ count: 0, of: 7 });
  });

  it("takes intents that differ in values alone for one", async () => {
    const pml = await open({ tools: createFileTools().tools, embedder: model });
    const code = "return mcp.fs.read({ path: args.path });";
    for (const path of ["a.json", "b.json"])
      await pml.execute({ intent: `what does ${path} hold`, code, context: { path } });
    for (const number of [1, 2])
      await pml.execute({ intent: `part ${number} of it`, code, context: { path: "a.json" }, cache: false });
    expect((await pml.evaluate()).intents).toMatchObject({ served: 4, repeats: 2, asked: 2 });
  });

  it("holds out what is all but a copy too, and says so", async () => {
    const pml = await open({ tools: [opaque("backup:delete")], embedder: model });
    const code = "return mcp.backup.delete({ text: args.text });";
    for (const intent of ["delete the oldest backup", "remove the backup that is oldest"])
      await pml.execute({ intent, code, context: { text: "x" }, cache: false });
    const { intents, recall } = await pml.evaluate();
    expect(intents).toMatchObject({ served: 2, repeats: 0, asked: 2, copied: 2 });
    expect(recall.known.chosen.of).toBe(0);
  });

  it("is asked with what came with an intent, not with what was written into its code", async () => {
    const texts: string[] = [];
    const embed = (given: readonly string[]): Promise<Float32Array[]> => (texts.push(...given), model.embed(given));
    const pml = await open({ tools: createFileTools().tools, embedder: { ...model, embed } });
    await pml.execute({ intent: "what does a.json hold", code: `return mcp.fs.read({ path: "a.json" });` });
    const code = "return mcp.fs.read({ path: args.path });";
    await pml.execute({ intent: "show me b.json", code, context: { path: "b.json" } });
    texts.length = 0;
    expect((await pml.evaluate()).intents.asked).toBe(2);
    expect(new Set(texts)).toEqual(new Set(["what does a.json hold", "show me b.json", "show me path"]));
  });

  it("finds tools by the requests they served, save those that are held out", async () => {
    const once = await (await teach([0])).evaluate();
    expect(once.recall.tools.first.of).toBe(7);
    expect(once.recall.tools.first.count).toBeLessThanOrEqual(2);
    const twice = await (await teach([0, 1])).evaluate();
    expect(twice.recall.tools.first).toMatchObject({ of: 14, share: expect.any(Number) });
    expect(twice.recall.tools.first.share).toBeGreaterThan(0.8);
  });

  it("asks for what ran by itself too, where somebody found it right", async () => {
    const pml = await teach([0, 1]);
    const answer = await pml.execute({ intent: "how warm is it outside now", context: { text: "x" }, cache: false });
    expect(answer).toMatchObject({ status: "success", mode: "speculation" });
    expect((await pml.evaluate()).intents.served).toBe(14);
    await pml.feedback({ traceId: (answer as { traceId: string }).traceId, ok: true });
    expect((await pml.evaluate()).intents.served).toBe(15);
  });
});

describe("what is too little or known by heart", () => {
  it("is left out and counted: names and descriptions of tools and capabilities", async () => {
    const pml = await open({ tools: createFileTools().tools, embedder: model });
    const code = "return mcp.fs.read({ path: args.path });";
    const context = { path: "a.json" };
    await pml.capabilities.create({
      intent: "show what is in a file",
      description: "Opens it and looks",
      code,
      name: "fs:show_file",
    });
    for (const intent of [
      "fs:read",
      "fs show file",
      "Read a file, as text",
      "a file: show what is in it",
      "look, opens it",
    ])
      await pml.execute({ intent, code, context, cache: false });
    const evaluation = await pml.evaluate();
    expect(evaluation.intents).toEqual({
      served: 5,
      repeats: 0,
      leaked: { names: 2, descriptions: 3 },
      asked: 0,
      copied: 0,
    });
    expectNothing(evaluation);
  });

  it("gives no figure: an empty memory", async () => {
    const pml = await open({ tools: createFileTools().tools });
    const evaluation = await pml.evaluate();
    expect(evaluation.runs).toEqual({ looked: 0, kept: 0 });
    expect(evaluation.intents).toEqual({
      served: 0,
      repeats: 0,
      leaked: { names: 0, descriptions: 0 },
      asked: 0,
      copied: 0,
    });
    expectNothing(evaluation);
  });
});

function expectNothing({ recall, calibration }: Evaluation): void {
  for (const share of [recall.known.chosen, recall.known.run, recall.unknown.wrong, recall.tools.first])
    expect(share).toEqual({ count: 0, of: 0, ...NOTHING });
  expect(recall.tools.amongFive).toEqual({ of: 0, mean: undefined, interval: undefined });
  expect(calibration.heldOut).toMatchObject({ of: 0, error: undefined, bins: [] });
}

describe("what happened", () => {
  const READ = "const file = await mcp.fs.read({ path: args.path }); return JSON.parse(file.content).name;";

  it("counts runs that were right, wrong, failed, and of which nobody said", async () => {
    const pml = await open({ tools: createFileTools().tools, embedder: model });
    await pml.execute({ intent: "what name does a file have", code: READ, context: { path: "a.json" } });
    const ask = async (path: string): Promise<string> => {
      const answer = await pml.execute({ intent: "what name does this file have", context: { path }, cache: false });
      expect(answer).toMatchObject({ mode: "speculation" });
      return (answer as { traceId: string }).traceId;
    };
    await pml.feedback({ traceId: await ask("b.json"), ok: true });
    await ask("b.json");
    await ask("gone.json");
    await pml.feedback({ traceId: await ask("a.json"), ok: false });
    const { automatic, reuse, calibration } = await pml.evaluate();
    expect(automatic).toEqual({ runs: 4, failed: 1, unjudged: 1, wrong: { count: 1, of: 2, ...NOTHING } });
    expect(reuse.byItself).toMatchObject({ count: 2, of: 5 });
    expect(calibration.outcomes).toMatchObject({ of: 2, bins: [{ right: { count: 1, of: 2 } }] });
  });

  it("compares with what writing took, failed attempts included, and counts what was begun early", async () => {
    const { tools } = createFileTools();
    const pml = await open({ tools, embedder: model });
    const intent = "what name does a file have";
    await pml.execute({
      intent,
      code: "await mcp.fs.read({ path: args.path }); throw new Error('no');",
      context: { path: "a.json" },
    });
    await pml.execute({ intent, code: READ, context: { path: "a.json" }, name: "fs:read_name" });
    for (let time = 0; time < 10; time++)
      await pml.execute({ capability: "fs:read_name", args: { path: "b.json" }, intent, cache: false });
    const { saved, reuse } = await pml.evaluate();
    expect(saved.toolCalls).toEqual({ of: 10, mean: 1, interval: { low: 1, high: 1 } });
    expect(saved.ms.of).toBe(10);
    expect(saved.notCompared).toBe(0);
    const { prefetchHits, savedMs } = pml.metrics();
    expect(saved.prefetch.used).toMatchObject({ count: prefetchHits, of: 12 });
    expect(saved.prefetch.ms).toBeCloseTo(savedMs.prefetch, 6);
    expect(reuse.byName).toMatchObject({ count: 10, of: 12 });
  });
});

describe("looking", () => {
  it("changes nothing that is stored, calls no tool, counts nothing, and says the same again", async () => {
    const { tools, calls } = createFileTools();
    const pml = await open({ tools, embedder: model });
    const context = { path: "a.json" };
    await pml.execute({ intent: "what is in it", code: "return mcp.fs.read({ path: args.path });", context });
    const answer = await pml.execute({
      intent: "what does it hold",
      code: "return mcp.fs.read({ path: args.path });",
      context,
      cache: false,
    });
    await pml.feedback({ traceId: (answer as { traceId: string }).traceId, ok: false });
    const [before, called, counted] = [await readAll(pml), calls.length, pml.metrics()];
    const [drawn, thresholds] = [
      pml.graph.snapshot(),
      await pml.feedback({ traceId: (answer as { traceId: string }).traceId, ok: true }),
    ];
    const first = await pml.evaluate();
    expect(await pml.evaluate()).toEqual(first);
    expect(await readAll(pml)).toEqual(before);
    expect(calls).toHaveLength(called);
    expect(pml.metrics()).toEqual(counted);
    expect(pml.graph.snapshot()).toEqual(drawn);
    expect(thresholds.counted).toBe(false);
  });

  it("sees no more than its scope: no other project's runs, and no other actor's private ones", async () => {
    const pml = await teach([0], { scope: { org: "acme", actor: "ada" } });
    await pml.capabilities.create({
      intent: "water my plants",
      code: `return "watered " + args.text;`,
      name: "home:water_plants",
      visibility: "private",
    });
    await pml.execute({ capability: "home:water_plants", intent: "water plants", args: { text: "x" }, cache: false });
    await pml.execute({
      capability: "home:water_plants",
      intent: "give my plants a drink",
      args: { text: "x" },
      cache: false,
    });
    expect((await pml.evaluate()).runs).toEqual({ looked: 9, kept: 9 });
    const bob = await pml.evaluate({ scope: { actor: "bob" } });
    expect(bob.runs).toEqual({ looked: 7, kept: 7 });
    expect(bob.intents).toMatchObject({ served: 7, asked: 7 });
    expect((await pml.evaluate({ scope: { project: "elsewhere" } })).runs).toEqual({ looked: 0, kept: 0 });
  });

  it("takes the newest runs, up to the limit, and says of how many", async () => {
    const pml = await teach([0, 1]);
    expect((await pml.evaluate({ limit: 5 })).runs).toEqual({ looked: 5, kept: 14 });
    expect((await pml.evaluate({ limit: 5 })).intents.served).toBe(5);
  });

  it.each([0, -1, 10_001, Number.NaN, "all"])("refuses %s as a limit", async (limit) => {
    const pml = await open({ tools: [] });
    await expect(pml.evaluate({ limit: limit as number })).rejects.toMatchObject({ code: "PML_INVALID_INPUT" });
  });

  it("stops when it is told to, before it begins and in the middle", async () => {
    let asked = 0;
    const ending = new AbortController();
    const embedder = {
      ...model,
      async embed(texts: readonly string[]) {
        if (++asked === stopAt) ending.abort(new Error("enough"));
        return model.embed(texts);
      },
    };
    let stopAt = Infinity;
    const pml = await teach([0, 1], { embedder });
    asked = 0;
    stopAt = 3;
    await expect(pml.evaluate({ signal: ending.signal })).rejects.toThrow("enough");
    expect(asked).toBe(3);
    await expect(pml.evaluate({ signal: ending.signal })).rejects.toThrow("enough");
    expect(asked).toBe(3);
    expect((await pml.evaluate()).intents.asked).toBe(14);
  });

  it("lets others have their turn between one intent and the next", async () => {
    const pml = await teach([0, 1]);
    let turns = 0;
    const count = (): void => void (turns++, (next = setImmediate(count)));
    let next = setImmediate(count);
    const { intents } = await pml.evaluate();
    clearImmediate(next);
    expect(turns).toBeGreaterThan(intents.asked);
  });
});

describe("whatever happened", () => {
  const step = fc.record({
    program: fc.nat({ max: 10 }),
    intent: fc.constantFrom(0 as const, 1 as const),
    text: fc.constantFrom("one", "bad", "  two "),
    rejected: fc.boolean(),
  });

  const word = fc.constantFrom(true, false, undefined);

  it("shares are shares, and what was left out and what was asked add up", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 14 }), fc.array(word, { maxLength: 3 }), async (steps, said) => {
        const pml = await open({ tools: createTextTools(), cache: { enabled: false } });
        await runSteps(pml, steps);
        for (const ok of said) await askAndSay(pml, ok);
        const { runs, intents, recall, automatic, calibration } = await pml.evaluate();
        expect(runs.looked).toBe(runs.kept);
        const { served, repeats, leaked, asked } = intents;
        expect(served - repeats - leaked.names - leaked.descriptions).toBe(asked);
        expect(recall.known.chosen.of + recall.unknown.wrong.of).toBe(asked);
        expect(recall.known.run.count).toBeLessThanOrEqual(recall.known.chosen.count);
        expect(calibration.heldOut.of).toBeLessThanOrEqual(asked);
        expect(automatic.failed + automatic.unjudged + automatic.wrong.of).toBe(automatic.runs);
        for (const each of [...Object.values(recall.known), recall.tools.first]) expect(isShare(each)).toBe(true);
      }),
      { numRuns: 12 },
    );
  });
});

/** Something may run by itself; what is then said of it, if anything, is kept. */
async function askAndSay(pml: Pml, ok: boolean | undefined): Promise<void> {
  const answer = await pml.execute({ intent: "shout what was tidied", context: { text: "one" } });
  if (answer.status === "success" && ok !== undefined) await pml.feedback({ traceId: answer.traceId, ok });
}

function isShare({ count, of, share, interval }: Share): boolean {
  if (of < 10) return count <= of && share === undefined && interval === undefined;
  const { low, high } = interval ?? { low: 1, high: 0 };
  return share === count / of && low >= 0 && low <= share && share <= high && high <= 1;
}

/** Every row of every table, as it is. */
async function readAll(pml: Pml): Promise<Record<string, unknown[]>> {
  const { database } = pml.store.context;
  const tables = await database.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = current_schema() order by 1",
  );
  const rows: Record<string, unknown[]> = {};
  for (const { name } of tables) rows[name] = await database.query(`select * from "${name}" t order by t::text`);
  return rows;
}
