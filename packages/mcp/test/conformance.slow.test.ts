import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type Bridge, openBridge } from "./http-bridge.js";

const run = promisify(execFile);
const { resolve } = createRequire(import.meta.url);
const SUITE = resolve("@modelcontextprotocol/conformance/package.json").replace("package.json", "dist/index.js");

async function conforms(...args: string[]): Promise<string> {
  const { stdout, stderr } = await run(process.execPath, [SUITE, ...args], { encoding: "utf8" });
  return stdout + stderr;
}

/** The others are about what this server does not offer (resources, prompts, logging, sampling), or call tools of their own. */
describe("the official conformance suite", () => {
  let bridge: Bridge;
  beforeAll(async () => {
    bridge = await openBridge([]);
  });
  afterAll(() => bridge.close());

  it.each(["server-initialize", "ping", "tools-list", "server-sse-multiple-streams"])(
    "passes pml-mcp as a server: %s",
    async (scenario) => {
      expect(await conforms("server", "--url", bridge.url, "--scenario", scenario)).toMatch(
        /Passed: (\d+)\/\1, 0 failed/,
      );
    },
  );

  it.each(["initialize", "tools_call"])("passes connectMcpServers as a client: %s", async (scenario) => {
    const command = `${process.execPath} ${resolve("tsx/cli")} ${join(import.meta.dirname, "conformance-client.ts")}`;
    const said = await conforms("client", "--command", command, "--scenario", scenario);
    expect(said).toMatch(/Passed: (\d+)\/\1, 0 failed, 0 warnings/);
  });
});
