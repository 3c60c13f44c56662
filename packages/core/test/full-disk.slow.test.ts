import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { CapabilityStore, openPglite, PmlError } from "@pml/core";
import { createHashEmbedder } from "@pml/embeddings";
import { afterAll, describe, expect, it } from "vitest";

const mounted: string[] = [];
afterAll(() => {
  for (const folder of mounted) execFileSync("umount", ["-l", folder]);
});

/** A disk of its own, where this process may make one. */
function mount(size: string, ...options: string[]): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), "pml-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", [`size=${size}`, ...options].join(","), "tmpfs", folder], {
      stdio: "ignore",
    });
    mounted.push(folder);
    return folder;
  } catch {
    return undefined;
  }
}

const isAble = mount("1m") !== undefined;

describe.runIf(isAble)("a disk that fills up", () => {
  // With large runs the tables find no space, with small ones the log.
  it.each([240, 20])(
    "is an error that says so, with runs of %i kB, and loses nothing that was acknowledged",
    async (kilobytes) => {
      const disk = mount("70m") ?? "";
      const dataDir = join(disk, "memory");
      const open = (): Promise<CapabilityStore> => CapabilityStore.open({ dataDir, embedder: createHashEmbedder() });
      const store = await open();
      const acknowledged: string[] = [];
      const error: unknown = await writeUntilItFails(store, { kilobytes, acknowledged }).catch(
        (thrown: unknown) => thrown,
      );
      expect(error).toBeInstanceOf(PmlError);
      expect((error as PmlError).code).toBe("PML_DISK_FULL");
      await store.close();

      execFileSync("mount", ["-o", "remount,size=200m", disk]);
      await using again = await open();
      const kept = new Set((await again.listTraces({ limit: 100_000 })).map(({ id }) => id));
      expect(acknowledged.filter((id) => !kept.has(id))).toEqual([]);
    },
  );

  it("is an error too when there is no room for a new memory", async () => {
    const small = mount("4m") ?? "";
    await expect(openPglite({ dataDir: join(small, "memory") })).rejects.toMatchObject({ code: "PML_DISK_FULL" });
  });
});

describe.runIf(isAble)("a directory that cannot be written", () => {
  it("is an error that says so, and nothing in it changes", async () => {
    const folder = mount("100m") ?? "";
    const dataDir = join(folder, "memory");
    await (await openPglite({ dataDir })).close();
    execFileSync("mount", ["-o", "remount,ro", folder]);
    await expect(openPglite({ dataDir })).rejects.toMatchObject({ code: "PML_DIRECTORY_UNWRITABLE" });
    await expect(openPglite({ dataDir: join(folder, "new") })).rejects.toMatchObject({
      code: "PML_DIRECTORY_UNWRITABLE",
    });
    execFileSync("mount", ["-o", "remount,rw", folder]);
    await (await openPglite({ dataDir })).close();
  });
});

async function writeUntilItFails(
  store: CapabilityStore,
  { kilobytes, acknowledged }: { kilobytes: number; acknowledged: string[] },
): Promise<never> {
  const args = { text: Array.from({ length: kilobytes * 90 }, () => Math.random().toString(36)).join("") };
  while (true) {
    const { traceId } = await store.recordRun({ trace: { success: true, startedAt: new Date(), durationMs: 1, args } });
    acknowledged.push(traceId);
  }
}

it.runIf(!isAble)("did not run: this process may not mount a disk", () => {
  const probe = mkdtempSync(join(tmpdir(), "pml-probe-"));
  writeFileSync(join(probe, "file"), "");
  rmSync(probe, { recursive: true });
  expect(isAble).toBe(false);
});
