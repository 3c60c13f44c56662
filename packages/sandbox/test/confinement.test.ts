import { spawnSync, type StdioOptions } from "node:child_process";
import {
  closeSync,
  existsSync,
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

const PATIENT = { timeout: 20_000 };

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

  it("has none that its host was started with, however high their numbers", () => {
    const descriptor = openSync("/etc/hostname", "r");
    const stdio = ["pipe", "pipe", "pipe", ...Array.from({ length: 37 }, () => "ignore"), descriptor] as StdioOptions;
    const code = `await sandbox.run({ code: "return 1" }).result;
      const { existsSync, readFileSync } = await import("node:fs");
      const children = readFileSync("/proc/self/task/" + process.pid + "/children", "utf8").split(" ").filter(Boolean);
      for (const pid of [process.pid, ...children]) say(existsSync("/proc/" + pid + "/fd/40"));`;
    expect(runHost(code, process.execPath, [], stdio)).toEqual(["true", "false"]);
    closeSync(descriptor);
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

  it("ends by itself when its host was killed", async () => {
    const code = `await sandbox.run({ code: "return 1" }).result;
      const { readFileSync } = await import("node:fs");
      say(readFileSync("/proc/self/task/" + process.pid + "/children", "utf8"));
      process.kill(process.pid, "SIGKILL");`;
    const pids = runHost(code, process.execPath).join(" ").split(" ").filter(Boolean);
    expect(pids.length).toBeGreaterThan(0);
    await expect.poll(() => pids.filter((pid) => existsSync(`/proc/${pid}`)), PATIENT).toEqual([]);
  });

  it("ends with its host's end of the channel", async () => {
    const sandbox = createSandbox({ pool: { size: 1 } });
    await sandbox.run({ code: "return 1" }).result;
    const pids = listChildren();
    await sandbox.close();
    await expect.poll(() => listChildren().filter((pid) => pids.includes(pid)), PATIENT).toEqual([]);
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

it.runIf(process.platform !== "win32")("a host that is out of descriptors hears so, and lives", () => {
  const code = `const run = async (code, limits) => {
      const result = await sandbox.run({ code, limits }).result;
      say(result.status === "success" ? result.value : result.error.code);
    };
    await run("return 'before'");
    const { closeSync, openSync } = await import("node:fs");
    const open = [];
    try { for (;;) open.push(openSync("/dev/null")) } catch {}
    await run("for (;;) {}", { timeoutMs: 100 });
    await run("return 'in need'");
    open.forEach((descriptor) => closeSync(descriptor));
    await new Promise((done) => setTimeout(done, 100));
    await run("return 'after'");`;
  const said = runHost(code, "sh", ["-c", 'ulimit -n 100; exec "$0" "$@"', process.execPath]);
  expect(said).toEqual(["before", "SANDBOX_TIMEOUT", "SANDBOX_START_FAILED", "after"]);
});

/** What a host of its own says, with a sandbox of one child. */
function runHost(code: string, command: string, args: string[] = [], stdio: StdioOptions = "pipe"): string[] {
  const script = `import { createSandbox } from "@pml/sandbox";
    const say = (value) => console.log(String(value));
    const sandbox = createSandbox({ pool: { size: 1 } });
    ${code}
    await sandbox.close();`;
  const node = [...args, "--input-type=module", "-e", script];
  const { stdout, stderr } = spawnSync(command, node, { encoding: "utf8", timeout: 30_000, stdio });
  return (stdout || stderr).trim().split("\n");
}

function listChildren(): string[] {
  const pids = readFileSync(`/proc/self/task/${process.pid}/children`, "utf8").split(" ").filter(Boolean);
  return pids.filter((pid) => readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("child-main"));
}
