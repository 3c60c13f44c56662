import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

type Manifest = Record<"dependencies" | "optionalDependencies" | "peerDependencies", Record<string, string>>;

const packages = readdirSync("packages");
const PEERS = ["@huggingface/transformers", "@langchain/core", "ai", "zod"];
const HOME = mkdtempSync(join(tmpdir(), "pml-packed-"));

describe("the packages, packed and installed elsewhere", () => {
  beforeAll(() => {
    const folders = packages.map((name) => join(process.cwd(), "packages", name));
    npm("pack", "--pack-destination", HOME, ...folders);
    writeFileSync(join(HOME, "package.json"), JSON.stringify({ private: true, type: "module" }));
    const quick = ["--legacy-peer-deps", "--omit=optional", "--prefer-offline", "--no-audit", "--no-fund"];
    npm("install", ...quick, ...listTarballs());
    // Large ones: the copies that are here will do.
    for (const peer of PEERS.filter((each) => !existsSync(join(HOME, "node_modules", each)))) {
      mkdirSync(dirname(join(HOME, "node_modules", peer)), { recursive: true });
      symlinkSync(join(process.cwd(), "node_modules", peer), join(HOME, "node_modules", peer));
    }
  }, 120_000);
  afterAll(() => rmSync(HOME, { recursive: true }));

  it.each(packages)("%s runs the example of its README", (name) => {
    writeFileSync(join(HOME, `${name}.js`), getExample(readInstalled(name, "README.md")));
    expect(node(`${name}.js`)).not.toBe("");
  });

  it.each(packages)("%s can be required as well as imported", (name) => {
    const keys = `Object.keys(require("@pml/${name}")).sort().join()`;
    writeFileSync(join(HOME, `${name}.cjs`), `console.log(${keys})`);
    const imported = `Object.keys(await import("@pml/${name}")).sort().join()`;
    writeFileSync(join(HOME, `${name}.mjs`), `console.log(${imported})`);
    expect(node(`${name}.cjs`)).toBe(node(`${name}.mjs`));
  });

  it("pml-mcp serves a memory as a client starts it", async () => {
    const client = new Client({ name: "test", version: "1" });
    const args = ["--data", join(HOME, "memory")];
    await client.connect(new StdioClientTransport({ command: join(HOME, "node_modules/.bin/pml-mcp"), args }));
    const given = { intent: "add two numbers", code: "return args.a + args.b", context: { a: 1, b: 2 } };
    const { structuredContent } = await client.callTool({ name: "pml_execute", arguments: given });
    expect(structuredContent).toMatchObject({ status: "success", result: 3 });
    await client.close();
  });

  it("pml-mcp comes with all that it needs to find what was meant", () => {
    const { dependencies, optionalDependencies } = JSON.parse(readInstalled("mcp", "package.json")) as Manifest;
    const embeddings = JSON.parse(readInstalled("embeddings", "package.json")) as Manifest;
    const here = { ...dependencies, ...optionalDependencies };
    expect(here).toMatchObject(embeddings.peerDependencies);
  });

  it.each(packages)("%s carries its licence and no tests", (name) => {
    expect(readInstalled(name, "LICENSE")).toContain("Apache License");
    const files = readdirSync(join(HOME, "node_modules/@pml", name), { recursive: true });
    expect(files.filter((file) => String(file).includes(".test."))).toEqual([]);
  });
});

function npm(...parameters: string[]): void {
  execFileSync("npm", [...parameters, "--loglevel=error"], { cwd: HOME, stdio: "pipe" });
}

function node(file: string): string {
  return execFileSync(process.execPath, [file], { cwd: HOME, encoding: "utf8", stdio: "pipe" });
}

function listTarballs(): string[] {
  return readdirSync(HOME)
    .filter((file) => file.endsWith(".tgz"))
    .map((file) => `./${file}`);
}

function readInstalled(name: string, file: string): string {
  return readFileSync(join(HOME, "node_modules/@pml", name, file), "utf8");
}

/** The first code block; an example is TypeScript that plain JavaScript can run too. */
function getExample(readme: string): string {
  const example = /^```(?:ts|js)\n([\s\S]*?)\n```$/m.exec(readme)?.[1];
  if (example === undefined) throw new Error("The README has no example.");
  return example;
}
