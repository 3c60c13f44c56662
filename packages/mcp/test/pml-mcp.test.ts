import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, describe, expect, it } from "vitest";

import { BIN, call, serve } from "./command-world.js";
import { until } from "./world.js";

const HOME = mkdtempSync(join(tmpdir(), "pml-mcp-"));
afterAll(() => rmSync(HOME, { recursive: true, force: true }));

const node = (script: string): { command: string; args: string[] } => ({
  command: process.execPath,
  args: ["-e", script],
});

function writeConfig(mcpServers: object): string {
  const file = join(HOME, "mcp.json");
  writeFileSync(file, JSON.stringify({ mcpServers }));
  return file;
}

/** A server without an SDK: one tool, `echo`. */
const ECHO_SERVER = `
  const tools = [{ name: "echo", inputSchema: { type: "object" } }];
  const answer = ({ method, params }) => method === "tools/list" ? { tools }
    : method === "tools/call" ? { content: [{ type: "text", text: params.arguments.text }] }
    : { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "echo", version: "1" } };
  require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const request = JSON.parse(line);
    if (request.id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id: request.id, result: answer(request) }));
  });
`;

describe("pml-mcp", () => {
  it("answers at once, and works with the servers that are there, though one never comes", async () => {
    const config = writeConfig({ good: node(ECHO_SERVER), silent: node("setInterval(() => {}, 1000)") });
    await serve(["--config", config], async (client) => {
      expect((await client.listTools()).tools.length).toBeGreaterThan(10);
      const code = `return mcp.good.echo({ text: "hi" })`;
      expect(await call(client, "pml_execute", { intent: "say hi", code })).toMatchObject({ result: "hi" });
      const { servers } = await call(client, "meta__servers");
      expect(servers).toEqual(expect.arrayContaining([{ id: "silent", state: "connecting", tools: 0 }]));
    });
  });

  it.each<[string, (child: ReturnType<typeof spawn>) => unknown]>([
    ["its client goes", (child) => child.stdin?.end()],
    ["it is asked to end", (child) => child.kill("SIGTERM")],
  ])("ends, with what it started, when %s", async (_, end) => {
    const mark = join(HOME, `pid-${Math.random()}`);
    const script = `require("node:fs").writeFileSync(${JSON.stringify(mark)}, String(process.pid)); setInterval(() => {}, 1000)`;
    const child = spawn(process.execPath, [BIN, "--config", writeConfig({ silent: node(script) })], { stdio: "pipe" });
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" })}\n`);
    await new Promise((resolve) => child.stdout.once("data", resolve));
    const started = Number(readFileSync(mark, "utf8"));
    end(child);
    expect(await ended).toBe(0);
    await until(() => !isAlive(started));
    expect(isAlive(started)).toBe(false);
  });

  it.each<[string, string[], Record<string, string>, RegExp]>([
    ["a file that is not there", ["--config", "/no/such.json"], {}, /cannot be read/],
    ["an option it does not have", ["--nonsense"], {}, /nonsense/],
    ["itself behind itself", [], { PML_MCP_STARTED_BY: "1" }, /started by another pml-mcp/],
  ])("refuses %s in one line", (_, args, env, message) => {
    expect(() =>
      execFileSync(process.execPath, [BIN, ...args], {
        env: { ...process.env, ...env },
        stdio: "pipe",
        encoding: "utf8",
      }),
    ).toThrow(message);
  });

  it("says its version, that of the package", () => {
    const { version } = JSON.parse(readFileSync(join(import.meta.dirname, "../package.json"), "utf8")) as {
      version: string;
    };
    expect(execFileSync(process.execPath, [BIN, "--version"], { encoding: "utf8" }).trim()).toBe(version);
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
