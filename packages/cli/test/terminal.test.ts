import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { createPml } from "@pml/core";
import { connectMcpServers, type McpServersConfig } from "@pml/mcp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { shell } from "./shell.js";

const PML = join(process.cwd(), "packages/cli/bin/pml.js");
const SERVER = createRequire(join(process.cwd(), "packages/mcp/package.json")).resolve(
  "@modelcontextprotocol/server-filesystem/package.json",
);
const folder = mkdtempSync(join(tmpdir(), "pml-terminal-"));
const data = join(folder, "memory");
const config = join(folder, "servers.json");

beforeAll(async () => {
  writeFileSync(join(folder, "a.txt"), "hello");
  writeFileSync(
    config,
    JSON.stringify({
      mcpServers: { fs: { command: process.execPath, args: [join(dirname(SERVER), "dist/index.js"), folder] } },
    }),
  );
  const servers = await connectMcpServers(JSON.parse(readFileSync(config, "utf8")) as McpServersConfig);
  const pml = await createPml({ dataDir: data, tools: servers.tools });
  const read = `const file = await mcp.fs.read_text_file({ path: ${JSON.stringify(join(folder, "a.txt"))} }); return file.content;`;
  await pml.capabilities.create({ intent: "read a text", code: read, name: "fs:read_text" });
  const write = `return mcp.fs.write_file({ path: ${JSON.stringify(join(folder, "b.txt"))}, content: "written" });`;
  await pml.capabilities.create({ intent: "write a text", code: write, name: "fs:write_text" });
  await pml.close();
  await servers.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (name: string, ...more: string[]): string[] => ["--data", data, "--config", config, "run", name, ...more];

describe("pml, as a program", () => {
  it("writes text without any escape sequence where there is no screen", async () => {
    const { code, out } = await start("--data", data, "list");
    expect(code).toBe(0);
    expect(out).toContain("fs:read_text");
    expect(out).not.toContain("\u001b");
  });

  it("calls tools of real servers", async () => {
    expect(await start(...run("fs:read_text"))).toMatchObject({ code: 0, out: "hello\n" });
  });

  it("says its version, which is that of its package", async () => {
    const { version } = JSON.parse(readFileSync("packages/cli/package.json", "utf8")) as { version: string };
    expect((await start("--version")).out).toBe(`${version}\n`);
  });

  it("lives through a reader that has read enough", async () => {
    const child = spawn(process.execPath, [PML, "--help"], { stdio: ["ignore", "pipe", "pipe"] });
    child.stdout.destroy();
    let error = "";
    child.stderr.on("data", (chunk: Buffer) => (error += chunk.toString()));
    await new Promise((resolve) => child.once("close", resolve));
    expect(error).not.toContain("EPIPE");
  });
});

describe("a capability that asks first", () => {
  it("is not run where nobody can be asked, and leaves nothing waiting", async () => {
    const { code, out } = await shell(run("fs:write_text"));
    expect([code, written()]).toEqual([3, undefined]);
    expect(out).toContain("fs:write_file");
    expect(out).toContain("--yes");
    expect(JSON.parse((await shell(["--data", data, "stats", "--json"])).out)).toMatchObject({ unfinished: 0 });
  });

  it("is run when the person says yes, and not when they say anything else", async () => {
    expect((await shell(run("fs:write_text"), { says: "perhaps" })).code).toBe(3);
    expect(written()).toBeUndefined();
    const { code, error } = await shell(run("fs:write_text"), { says: "y" });
    expect([code, written()]).toEqual([0, "written"]);
    expect(error).toContain("It would call:");
  });

  it("is run with --yes", async () => {
    rmSync(join(folder, "b.txt"));
    expect((await shell(run("fs:write_text", "--yes"))).code).toBe(0);
    expect(written()).toBe("written");
  });
});

function written(): string | undefined {
  const file = join(folder, "b.txt");
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

async function start(...argv: string[]): Promise<{ code: number | null; out: string; error: string }> {
  const child = spawn(process.execPath, [PML, ...argv], { stdio: ["ignore", "pipe", "pipe"] });
  let [out, error] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (error += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, out, error };
}
