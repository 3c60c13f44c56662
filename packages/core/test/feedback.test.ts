import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Pml, SuccessAnswer } from "@pml/core";
import { describe, expect, it } from "vitest";

import { createFileTools, usePml } from "./pml-world.js";

const { open, model } = usePml();
const READ = `const file = await mcp.fs.read({ path: "a.json" }); return JSON.parse(file.content).name;`;

/** A memory that has learned to read names, and an automatic run of it. */
async function serveByItself(options: Parameters<typeof open>[0] = {}): Promise<{ pml: Pml; answer: SuccessAnswer }> {
  const pml = await open({ tools: createFileTools().tools, embedder: model, ...options });
  await pml.execute({ intent: "read the name in the json file a.json", code: READ });
  const answer = await pml.execute({
    intent: "read the name in the json file b.json",
    context: { path: "b.json" },
    conversation: "one",
  });
  expect(answer).toMatchObject({ status: "success", mode: "speculation" });
  return { pml, answer: answer as SuccessAnswer };
}

describe("feedback", () => {
  it("on what ran by itself and was wrong moves the threshold and counts against the capability", async () => {
    const { pml, answer } = await serveByItself();
    const { match } = await pml.store.getTrace(answer.traceId);
    expect(match).toBeGreaterThanOrEqual(0.85);
    const said = await pml.feedback({ traceId: answer.traceId, ok: false, correction: "the other file" });
    expect(said).toMatchObject({ counted: true, automatic: true });
    expect(said.threshold).toBeGreaterThan(0.85);
    expect(pml.metrics().wrongRuns).toBe(1);
    const { statistics } = await pml.store.get(answer.capabilityId ?? "");
    expect(statistics).toMatchObject({ usageCount: 2, successCount: 1, failureCount: 1, consecutiveFailures: 1 });
    const trace = await pml.store.getTrace(answer.traceId);
    expect(trace).toMatchObject({ mode: "speculation", feedback: { ok: false, correction: "the other file" } });
  });

  it("forgets that the intent was served, and what was cached", async () => {
    const pml = await open({ tools: createFileTools().tools });
    const { traceId, capabilityId } = (await pml.execute({ intent: "read a", code: READ })) as SuccessAnswer;
    expect(await pml.store.listPastIntents()).toHaveLength(1);
    await pml.feedback({ traceId, ok: false });
    expect(await pml.store.listPastIntents()).toEqual([]);
    expect(await pml.cache.listInvalidations()).toMatchObject([{ trigger: "manual", capabilityId }]);
  });

  it("that says it was right counts as right, and takes nothing away", async () => {
    const { pml, answer } = await serveByItself();
    const said = await pml.feedback({ traceId: answer.traceId, ok: true });
    expect(said).toEqual({ counted: true, automatic: true, threshold: 0.85 });
    expect(pml.metrics().wrongRuns).toBe(0);
    expect((await pml.store.get(answer.capabilityId ?? "")).statistics).toMatchObject({
      successCount: 2,
      failureCount: 0,
    });
    expect(await readOutcomes(pml)).toMatchObject({ right: 1, wrong: 0 });
  });

  it("twice on one run is one outcome, also when both come at once", async () => {
    const { pml, answer } = await serveByItself();
    const say = () => pml.feedback({ traceId: answer.traceId, ok: false });
    const both = await Promise.all([say(), say()]);
    expect(both.map(({ counted }) => counted).sort()).toEqual([false, true]);
    expect(await pml.feedback({ traceId: answer.traceId, ok: true })).toMatchObject({ counted: false });
    expect((await pml.store.get(answer.capabilityId ?? "")).statistics.failureCount).toBe(1);
    expect(await readOutcomes(pml)).toMatchObject({ right: 0, wrong: 1 });
  });

  it("on a run that somebody asked for by code counts against it, and leaves the threshold", async () => {
    const pml = await open({ tools: createFileTools().tools });
    const answer = (await pml.execute({ intent: "read a", code: READ })) as SuccessAnswer;
    expect(await pml.feedback({ traceId: answer.traceId, ok: false })).toEqual({
      counted: true,
      automatic: false,
      threshold: 0.85,
    });
    expect(pml.metrics().wrongRuns).toBe(0);
    expect((await pml.store.get(answer.capabilityId ?? "")).statistics).toMatchObject({
      successCount: 0,
      failureCount: 1,
    });
  });

  it("does not count a failure twice, nor a run that was not to be learned from", async () => {
    const pml = await open({ tools: createFileTools().tools });
    const failed = await pml.execute({ intent: "read c", code: `return mcp.fs.read({ path: "c.json" })` });
    const { traceId, capabilityId = "" } = failed as SuccessAnswer;
    await pml.feedback({ traceId, ok: false });
    expect((await pml.store.get(capabilityId)).statistics).toMatchObject({ successCount: 0, failureCount: 1 });
    const quiet = (await pml.execute({ intent: "read a", code: READ, learn: false })) as SuccessAnswer;
    await pml.feedback({ traceId: quiet.traceId, ok: false });
    expect(await pml.store.list()).toHaveLength(1);
  });

  it("three times on one capability takes it out of what runs by itself", async () => {
    const pml = await open({ tools: createFileTools().tools, cache: { enabled: false } });
    const ids: string[] = [];
    for (let turn = 0; turn < 3; turn++) {
      const { traceId, capabilityId = "" } = (await pml.execute({ intent: "read a", code: READ })) as SuccessAnswer;
      ids.push(traceId);
      if (turn < 2) continue;
      for (const id of ids) await pml.feedback({ traceId: id, ok: false });
      expect((await pml.store.get(capabilityId)).status).toBe("degraded");
    }
  });

  it("is given by code for the same intent in the same conversation, and then not once more", async () => {
    const { pml, answer } = await serveByItself();
    const intent = "read the name in the json file b.json";
    await pml.execute({ intent, code: `return mcp.fs.read({ path: "b.json" })`, conversation: "one" });
    expect(pml.metrics().wrongRuns).toBe(1);
    expect(await pml.feedback({ traceId: answer.traceId, ok: false })).toMatchObject({ counted: false });
    expect(await readOutcomes(pml)).toMatchObject({ wrong: 1 });
  });

  it("outlives the process: the threshold is where it was", async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "pml-feedback-"));
    try {
      const { pml, answer } = await serveByItself({ dataDir });
      const { threshold } = await pml.feedback({ traceId: answer.traceId, ok: false });
      await pml.close();
      const again = await open({ tools: createFileTools().tools, embedder: model, dataDir });
      const said = await again.feedback({ traceId: answer.traceId, ok: false });
      expect(said).toEqual({ counted: false, automatic: false, threshold });
      expect(threshold).toBeGreaterThan(0.85);
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  });

  it("stays within its project", async () => {
    const { pml, answer } = await serveByItself();
    const other = pml.feedback({ traceId: answer.traceId, ok: false, scope: { project: "other" } });
    await expect(other).rejects.toMatchObject({ code: "PML_NOT_FOUND" });
  });

  it.each([
    ["a trace that is not there", { traceId: "00000000-0000-4000-8000-000000000000", ok: true }, "PML_NOT_FOUND"],
    ["no id", { traceId: "x", ok: true }, "PML_INVALID_INPUT"],
    ["no word", { traceId: "00000000-0000-4000-8000-000000000000", ok: "yes" as never }, "PML_INVALID_INPUT"],
  ])("is refused for %s", async (_, given, code) => {
    const pml = await open();
    await expect(pml.feedback(given)).rejects.toMatchObject({ code });
  });
});

/** What was written down for thresholds, added up. */
async function readOutcomes(pml: Pml): Promise<{ right: number; wrong: number }> {
  const state = await pml.store.findLearnedState({ kind: "adaptive_threshold", key: "all" });
  const { contexts } = state as {
    contexts: Record<"younger" | "elder", [step: number, right: number, wrong: number][]>[];
  };
  const rows = contexts.flatMap(({ younger, elder }) => [...younger, ...elder]);
  const add = (at: 1 | 2): number => rows.reduce((sum, row) => sum + row[at], 0);
  return { right: add(1), wrong: add(2) };
}
