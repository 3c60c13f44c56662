import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createPml, type Pml, type Workflow } from "@pml/core";
import { createHashEmbedder } from "@pml/embeddings";
import { expect, it } from "vitest";

import { createLogTools } from "./kill-world.js";

const KILLS = 100;
const folder = mkdtempSync(join(tmpdir(), "pml-kill-execute-"));
const [dataDir, logFile] = [join(folder, "memory"), join(folder, "log.txt")];

it(`keeps every acknowledged run and takes up every cut one through ${KILLS} kills at random moments`, async () => {
  const acknowledged = new Map<string, string>();
  for (let round = 0; round < KILLS; round++)
    for (const { traceId, workflowId } of await executeUntilKilled(round)) acknowledged.set(traceId, workflowId);
  expect(acknowledged.size).toBeGreaterThan(KILLS);

  const pml = await createPml({ dataDir, embedder: createHashEmbedder(), tools: createLogTools(logFile) });
  const traces = new Set((await pml.store.listTraces({ limit: 1_000_000 })).map(({ id }) => id));
  expect([...acknowledged.keys()].filter((id) => !traces.has(id))).toEqual([]);
  await expectWholeRuns(pml);

  const cut = await pml.listUnfinished();
  expect(cut.length).toBeGreaterThan(KILLS / 4);
  const ended = new Set(acknowledged.values());
  expect(cut.filter(({ id }) => ended.has(id))).toEqual([]);
  const allowed = new Map<string, number>();
  for (const workflow of cut) await takeUp(pml, workflow, allowed);
  expect(await pml.listUnfinished()).toEqual([]);
  await expectWholeRuns(pml);
  await pml.close();

  expectNothingRepeated(allowed);
  rmSync(folder, { recursive: true, force: true });
}, 900_000);

/** What was acknowledged before the process was killed: while it opened, or up to some milliseconds later. */
function executeUntilKilled(round: number): Promise<{ traceId: string; workflowId: string }[]> {
  const script = join(import.meta.dirname, "kill-executor.ts");
  const child = spawn(process.execPath, ["--import", "tsx", script, dataDir, logFile, String(round)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  let doomed = false;
  const killWithin = (ms: number): void => {
    if (!doomed) setTimeout(() => child.kill("SIGKILL"), Math.random() * ms);
    doomed = true;
  };
  // Every tenth is killed while it opens, every fifth in its first runs, the others when they are at full speed.
  if (round % 10 === 9) killWithin(1500);
  child.stdout.on("data", (data: Buffer) => {
    said += data.toString();
    if (round % 5 === 3 || said.split("\n").length > 2) killWithin(400);
  });
  return new Promise((resolve, reject) => {
    child.on("close", (code, signal) => {
      if (signal !== "SIGKILL") return reject(new Error(`It was not killed, but ended with ${code}.`));
      // The last line may be half of one.
      const lines = said.split("\n").slice(1, -1);
      resolve(lines.map((line) => line.split(" ")).map(([traceId = "", workflowId = ""]) => ({ traceId, workflowId })));
    });
  });
}

/** Counts are written with the trace: where they agree, no run is there by half. */
async function expectWholeRuns(pml: Pml): Promise<void> {
  const traces = await pml.store.listTraces({ limit: 1_000_000 });
  for (const { id, statistics } of await pml.store.list()) {
    const own = traces.filter(({ capabilityId }) => capabilityId === id).length;
    expect(statistics).toMatchObject({ usageCount: own, successCount: own });
  }
  const calls = traces.flatMap(({ tasks }) => tasks).length;
  const usage = await pml.store.listToolUsage();
  expect(usage.reduce((sum, each) => sum + each.calls, 0)).toBe(calls);
}

/** A call that was under way is asked about, by its place; once allowed, it may stand in the log twice, and no other. */
async function takeUp(pml: Pml, { id, request }: Workflow, allowed: Map<string, number>): Promise<void> {
  let ranUnasked = 0;
  const before = readLog().length;
  const { run } = (request as { inputs: { run: string } }).inputs;
  let answer = await pml.resume(id);
  const asked = answer.status === "approval_required" ? answer.approval : undefined;
  const reasons = (asked?.tools ?? []).map(({ reason }) => reason);
  expect(reasons.filter((reason) => !reason.startsWith("log:effect was under way"))).toEqual([]);
  if (asked !== undefined) {
    ranUnasked += readLog().length - before;
    allowed.set(run, asked.tools.length);
    answer = await pml.approve(asked.id);
  }
  expect(ranUnasked, "nothing runs before it is allowed").toBe(0);
  expect(answer).toMatchObject({ status: "success" });
}

/** What stands twice was under way when its run was cut, and somebody allowed it; or it is of a tool that may be repeated. */
function expectNothingRepeated(allowed: ReadonlyMap<string, number>): void {
  const times = new Map<string, number>();
  for (const line of readLog()) times.set(line, (times.get(line) ?? 0) + 1);
  const repeated = new Map<string, number>();
  for (const [line, count] of times) {
    if (!line.startsWith("log:effect ") || count === 1) continue;
    expect([line, count]).toEqual([line, 2]);
    const run = line.slice("log:effect ".length).split(".").slice(0, 3).join(".");
    repeated.set(run, (repeated.get(run) ?? 0) + 1);
  }
  for (const [run, count] of repeated) expect(count, run).toBeLessThanOrEqual(allowed.get(run) ?? 0);
}

function readLog(): string[] {
  return readFileSync(logFile, "utf8").split("\n").slice(0, -1);
}
