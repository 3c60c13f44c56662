import { spawnSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, describe, expect, it } from "vitest";

import { listProcessFlags } from "./process-flags.js";

const HOME = realpathSync(mkdtempSync(join(tmpdir(), "pml-flags-")));
const NEIGHBOUR = join(HOME, "neighbour.txt");
writeFileSync(NEIGHBOUR, "secret");

afterAll(() => rmSync(HOME, { recursive: true }));

/** Code as it would be if it had broken out of everything else. */
function runAsChild(code: string): string {
  const entry = join(HOME, "entry.mjs");
  writeFileSync(
    entry,
    `try { ${code}; console.log("done") } catch (error) { console.log(error.code ?? error.message) }`,
  );
  const { stdout } = spawnSync(process.execPath, [...listProcessFlags(64, entry), entry], {
    env: {},
    encoding: "utf8",
  });
  return stdout.trim();
}

describe("a child process that has broken out of its compartment", () => {
  it.each([
    ["reads no file", `(await import("node:fs")).readFileSync("/etc/passwd")`],
    ["reads no file beside its own", `(await import("node:fs")).readFileSync(${JSON.stringify(NEIGHBOUR)})`],
    ["lists no folder", `(await import("node:fs")).readdirSync("/")`],
    ["writes no file", `(await import("node:fs")).writeFileSync(${JSON.stringify(join(HOME, "out"))}, "")`],
    ["deletes no file", `(await import("node:fs")).rmSync(${JSON.stringify(NEIGHBOUR)})`],
    ["starts no process", `(await import("node:child_process")).spawnSync("true")`],
    ["starts no thread", `new (await import("node:worker_threads")).Worker("", { eval: true })`],
  ])("%s", (_, code) => {
    expect(runAsChild(code)).toBe("ERR_ACCESS_DENIED");
  });

  it("loads no addon", () => {
    expect(runAsChild(`process.dlopen({ exports: {} }, "/x.node")`)).toMatch(/ERR_DLOPEN_DISABLED|ERR_ACCESS_DENIED/);
  });

  it("reaches the network before Node 25, whose permission model is the first to deny it", () => {
    const code = `await new Promise((done, fail) => (connect({ port: 1, host: "127.0.0.1" }).on("error", fail)))`;
    const outcome = runAsChild(`const { connect } = await import("node:net"); ${code}`);
    const major = Number(process.versions.node.split(".")[0]);
    expect(outcome).toBe(major < 25 ? "ECONNREFUSED" : "ERR_ACCESS_DENIED");
  });

  it("finds no environment", () => {
    expect(runAsChild("console.log(Object.keys(process.env).length)")).toBe("0\ndone");
  });
});

describe("the flags of a child", () => {
  it.each([
    ["by its old name, where Node has that", ["--experimental-permission"], "--experimental-permission"],
    ["by its new name, where Node has both", ["--permission", "--experimental-permission"], "--permission"],
  ])("turn the permission model on %s", (_, known, flag) => {
    expect(listProcessFlags(64, "/entry.js", new Set(known))).toEqual(
      expect.arrayContaining([flag, "--allow-fs-read=/entry.js"]),
    );
  });

  it("leave it out where Node has none", () => {
    expect(listProcessFlags(64, "/entry.js", new Set()).join(" ")).not.toContain("permission");
  });
});
