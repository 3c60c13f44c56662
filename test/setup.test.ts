import { execFileSync, spawnSync } from "node:child_process";
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

const ROOT = mkdtempSync(join(tmpdir(), "pml-setup-"));
const BUILD = `require("fs").mkdirSync("dist", { recursive: true });`;

describe("the setup script", () => {
  beforeAll(() => {
    cpSync("scripts/setup.js", join(ROOT, "scripts/setup.js"));
    write("package.json", { name: "root", private: true, workspaces: ["packages/*"] });
    write("tsconfig.base.json", {});
    write("tsup.base.ts", {});
    writePackage("above", { "@pml/below": "1.0.0" });
    writePackage("below", {});
    execFileSync("npm", ["install", "--package-lock-only", "--offline"], { cwd: ROOT });
  });
  afterAll(() => rmSync(ROOT, { recursive: true }));

  it("installs, then builds a package after those it depends on", () => {
    expect(setup()).toEqual(["Installing dependencies", "Building @pml/below", "Building @pml/above"]);
  });

  it("is silent when there is nothing to do", () => {
    expect(setup()).toEqual([]);
  });

  it("does not build again for a test or a README", () => {
    appendFileSync(join(ROOT, "packages/below/src/index.test.ts"), "// changed");
    appendFileSync(join(ROOT, "packages/below/README.md"), "changed");
    expect(setup()).toEqual([]);
  });

  it("builds a changed package and those that depend on it", () => {
    appendFileSync(join(ROOT, "packages/below/src/index.ts"), "// changed");
    expect(setup()).toEqual(["Building @pml/below", "Building @pml/above"]);
  });

  it("builds what has lost its dist", () => {
    rmSync(join(ROOT, "packages/above/dist"), { recursive: true });
    expect(setup()).toEqual(["Building @pml/above"]);
  });

  it("installs again when the lock file changed", () => {
    appendFileSync(join(ROOT, "package-lock.json"), "\n");
    expect(setup()[0]).toBe("Installing dependencies");
  });

  it("fails, and shows why, when a build fails", () => {
    appendFileSync(join(ROOT, "packages/above/build.cjs"), "throw new Error('no luck');");
    const { status, stderr } = runSetup();
    expect(status).toBe(1);
    expect(stderr).toContain("no luck");
  });
});

function setup(): string[] {
  const { status, stderr } = runSetup();
  expect(status, stderr).toBe(0);
  return [...stderr.matchAll(/^(.+) …$/gm)].map((line) => line[1] ?? "");
}

function runSetup(): { status: number | null; stderr: string } {
  return spawnSync(process.execPath, ["scripts/setup.js"], { cwd: ROOT, encoding: "utf8" });
}

function writePackage(name: string, dependencies: Record<string, string>): void {
  const folder = `packages/${name}`;
  const scripts = { build: "node build.cjs" };
  write(`${folder}/package.json`, { name: `@pml/${name}`, version: "1.0.0", scripts, dependencies });
  write(`${folder}/src/index.ts`, {});
  writeFileSync(join(ROOT, folder, "build.cjs"), BUILD);
}

function write(path: string, content: object): void {
  mkdirSync(dirname(join(ROOT, path)), { recursive: true });
  writeFileSync(join(ROOT, path), JSON.stringify(content));
}
