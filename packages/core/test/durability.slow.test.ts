import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { CapabilityStore } from "@pml/core";
import { createHashEmbedder } from "@pml/embeddings";
import { expect, it } from "vitest";

const KILLS = 200;
const KILLS_WHILE_MADE = 20;

it(`keeps every acknowledged run and no half of one through ${KILLS} kills at random moments`, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "pml-kill-"));
  const acknowledged = new Set<string>();
  for (let round = 0; round < KILLS; round++) {
    // Every tenth is killed while it opens.
    const when = round % 10 === 9 ? { killAfterMs: Math.random() * 1500 } : {};
    for (const id of await writeUntilKilled(dataDir, { round, ...when })) acknowledged.add(id);
  }
  await using store = await CapabilityStore.open({ dataDir, embedder: createHashEmbedder() });
  const traces = await store.listTraces({ limit: 10_000_000 });
  const kept = new Set(traces.map(({ id }) => id));
  expect([...acknowledged].filter((id) => !kept.has(id))).toEqual([]);
  const [capability] = await store.list();
  expect(acknowledged.size).toBeGreaterThan(KILLS);
  // The statistics are written with the trace: they agree, or a run was stored by half.
  expect(capability?.statistics).toMatchObject({ usageCount: kept.size, successCount: kept.size });
  expect(await store.listToolDependencies()).toMatchObject([{ observedCount: kept.size }]);
  expect(await store.listToolUsage()).toMatchObject([{ calls: kept.size }]);
  await store.close();
  rmSync(dataDir, { recursive: true, force: true });
}, 3_000_000);

it("can be opened after a kill at any moment of its making", async () => {
  const root = mkdtempSync(join(tmpdir(), "pml-made-"));
  for (let round = 0; round < KILLS_WHILE_MADE; round++) {
    const dataDir = join(root, String(round));
    // From the moment it is begun until the first runs are written.
    await writeUntilKilled(dataDir, { round, killWhenMade: (1500 * round) / KILLS_WHILE_MADE });
    await using store = await CapabilityStore.open({ dataDir, embedder: createHashEmbedder() });
    const [capability] = await store.list();
    expect(capability?.statistics.usageCount ?? 0).toBe((await store.listTraces({ limit: 100_000 })).length);
  }
  rmSync(root, { recursive: true, force: true });
}, 900_000);

interface Kill {
  round: number;
  /** So many milliseconds after the process has begun. */
  killAfterMs?: number;
  /** So many milliseconds after it has begun to make the directory. */
  killWhenMade?: number;
}

/** The ids that were acknowledged before the process was killed: when it was told, or some milliseconds after it wrote. */
function writeUntilKilled(dataDir: string, { round, killAfterMs, killWhenMade }: Kill): Promise<string[]> {
  const script = join(import.meta.dirname, "kill-writer.ts");
  const child = spawn(process.execPath, ["--import", "tsx", script, dataDir, String(round)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const kill = (): unknown => child.kill("SIGKILL");
  if (killAfterMs !== undefined) setTimeout(kill, killAfterMs);
  const watching = setInterval(() => {
    if (killWhenMade === undefined || !existsSync(join(dataDir, "pml.json"))) return;
    clearInterval(watching);
    setTimeout(kill, killWhenMade);
  }, 2);
  let said = "";
  let doomed = killWhenMade !== undefined || killAfterMs !== undefined;
  child.stdout.on("data", (data: Buffer) => {
    said += data.toString();
    // Every fifth in its first run, the others when they are at full speed, on a busy machine too.
    if (doomed || (round % 5 !== 3 && said.split("\n").length < 4)) return;
    doomed = true;
    setTimeout(kill, Math.random() * 120);
  });
  return new Promise((resolve, reject) => {
    child.on("close", (code, signal) => {
      clearInterval(watching);
      if (signal !== "SIGKILL") return reject(new Error(`It was not killed, but ended with ${code}.`));
      // The last line may be half of one.
      resolve(said.split("\n").slice(1, -1));
    });
  });
}
