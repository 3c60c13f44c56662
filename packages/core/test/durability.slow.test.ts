import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { CapabilityStore } from "@pml/core";
import { createHashEmbedder } from "@pml/embeddings";
import { expect, it } from "vitest";

const KILLS = 200;

it(`keeps every acknowledged run and no half of one through ${KILLS} kills at random moments`, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "pml-kill-"));
  const acknowledged = new Set<string>();
  for (let round = 0; round < KILLS; round++)
    for (const id of await writeUntilKilled(dataDir, round)) acknowledged.add(id);
  await using store = await CapabilityStore.open({ dataDir, embedder: createHashEmbedder() });
  const traces = await store.listTraces({ limit: 10_000_000 });
  const kept = new Set(traces.map(({ id }) => id));
  expect([...acknowledged].filter((id) => !kept.has(id))).toEqual([]);
  const [capability] = await store.list();
  expect(acknowledged.size).toBeGreaterThan(KILLS);
  // The statistics are written with the trace: they agree, or a run was stored by half.
  expect(capability?.statistics).toMatchObject({ usageCount: kept.size, successCount: kept.size });
  await store.close();
  rmSync(dataDir, { recursive: true, force: true });
}, 3_000_000);

/** The ids that were acknowledged before the process was killed: while opening, or up to some milliseconds later. */
function writeUntilKilled(dataDir: string, round: number): Promise<string[]> {
  const script = join(import.meta.dirname, "kill-writer.ts");
  const child = spawn(process.execPath, ["--import", "tsx", script, dataDir, String(round)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  // Every tenth is killed while it opens.
  if (round % 10 === 9) setTimeout(() => child.kill("SIGKILL"), Math.random() * 1500);
  child.stdout.on("data", (data: Buffer) => {
    if (said === "") setTimeout(() => child.kill("SIGKILL"), Math.random() * 120);
    said += data.toString();
  });
  return new Promise((resolve) => {
    child.on("close", (code, signal) => {
      expect([code, signal], "it was killed, and did not fail").toEqual([null, "SIGKILL"]);
      // The last line may be half of one.
      resolve(said.split("\n").slice(1, -1));
    });
  });
}
