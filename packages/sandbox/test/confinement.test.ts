import { spawnSync } from "node:child_process";
import {
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createSandbox } from "@pml/sandbox";
import { describe, expect, it } from "vitest";

describe.runIf(process.platform === "linux")("the process of a child", () => {
  it("has nothing of its host's environment", async () => {
    process.env["PML_TEST_SECRET"] = "s3cret";
    await using sandbox = createSandbox({ pool: { size: 1 } });
    await sandbox.run({ code: "return 1" }).result;
    expect(listChildren().map((pid) => readFileSync(`/proc/${pid}/environ`, "utf8"))).toEqual([""]);
  });

  it("has none of its host's open files", async () => {
    const home = mkdtempSync(join(tmpdir(), "pml-confined-"));
    const path = join(home, "secret.txt");
    writeFileSync(path, "s3cret");
    const descriptor = openSync(path, "r");
    await using sandbox = createSandbox({ pool: { size: 1 } });
    await sandbox.run({ code: "return 1" }).result;
    const open = listChildren().flatMap((pid) =>
      readdirSync(`/proc/${pid}/fd`).map((name) => readlinkSync(`/proc/${pid}/fd/${name}`)),
    );
    expect(open.length).toBeGreaterThan(0);
    expect(open.filter((target) => target.includes("secret"))).toEqual([]);
    // Its channel and its last words; the event loop's own descriptors are anonymous, or pipes to itself.
    expect(open.filter((target) => target.startsWith("socket:"))).toHaveLength(3);
    closeSync(descriptor);
    rmSync(home, { recursive: true });
  });

  it("is the first to go when the machine runs out of memory", async () => {
    await using sandbox = createSandbox({ pool: { size: 1 } });
    await sandbox.run({ code: "return 1" }).result;
    expect(listChildren().map((pid) => readFileSync(`/proc/${pid}/oom_score_adj`, "utf8").trim())).toEqual(["1000"]);
  });

  it("runs under Node's permission model", async () => {
    await using sandbox = createSandbox({ pool: { size: 1 } });
    await sandbox.run({ code: "return 1" }).result;
    const [pid] = listChildren();
    expect(readFileSync(`/proc/${pid}/cmdline`, "utf8")).toMatch(/--(?:experimental-)?permission\0--allow-fs-read=/);
  });

  it("ends with its host's end of the channel", async () => {
    const sandbox = createSandbox({ pool: { size: 1 } });
    await sandbox.run({ code: "return 1" }).result;
    const pids = listChildren();
    await sandbox.close();
    await expect.poll(() => listChildren().filter((pid) => pids.includes(pid))).toEqual([]);
  });
});

describe("a host that forgets to close its sandbox", () => {
  it.each(["process", "worker"])("ends all the same, with its children: %s", (runner) => {
    const script = `import { createSandbox } from "@pml/sandbox";
      const { result } = createSandbox({ runner: "${runner}" }).run({ code: "return 6 * 7" });
      console.log((await result).value);`;
    const host = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
      encoding: "utf8",
      timeout: 20_000,
    });
    expect([host.status, host.stdout.trim()]).toEqual([0, "42"]);
  });
});

function listChildren(): string[] {
  const pids = readFileSync(`/proc/self/task/${process.pid}/children`, "utf8").split(" ").filter(Boolean);
  return pids.filter((pid) => readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("child-main"));
}
