import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

import type { RunRequest, SandboxErrorCode } from "@pml/sandbox";
import { expect, it } from "vitest";

import { useSandbox } from "./shared-sandbox.js";

const { outcome } = useSandbox({ pool: { size: 1 }, limits: { memoryMb: 48, timeoutMs: 20_000 } });
const MEGABYTE = 1024 * 1024;
const TIMES = 5;
const UNLIMITED = {
  maxToolCalls: 1e7,
  maxTraceEvents: 1e7,
  maxInputBytes: 1e9,
  maxOutputBytes: 1e9,
  timeoutMs: 500_000,
};
const tools = [
  { id: "a:never", call: () => new Promise(() => {}) },
  { id: "a:quick", call: () => 1 },
  { id: "a:large", call: () => "x".repeat(100 * MEGABYTE) },
  { id: "a:page", call: () => "x".repeat(MEGABYTE) },
];

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

it
  .runIf(process.platform === "linux")
  .each<[what: string, expected: SandboxErrorCode, code: string, request?: Partial<RunRequest>]>([
    ["an endless loop", "SANDBOX_TIMEOUT", "for (;;) {}", { limits: { timeoutMs: 100 } }],
    ["a tool that never answers", "SANDBOX_TIMEOUT", "await mcp.a.never()", { limits: { timeoutMs: 100 } }],
    ["an endless chain of promises", "SANDBOX_TIMEOUT", "for (;;) await null", { limits: { timeoutMs: 100 } }],
    [
      "a flood of microtasks",
      "SANDBOX_TIMEOUT",
      "const flood = () => { Promise.resolve().then(flood) }; flood(); await new Promise(() => setTimeout(flood))",
      { limits: { timeoutMs: 100 } },
    ],
    [
      "a regular expression that backtracks",
      "SANDBOX_TIMEOUT",
      "return /^(?:a|a)+$/.test('a'.repeat(60) + '!')",
      { limits: { timeoutMs: 100 } },
    ],
    ["a promise that never settles", "SANDBOX_STALLED", "await new Promise(() => {})"],
    [
      "a heap full of strings",
      "SANDBOX_MEMORY",
      "const all = []; for (let i = 0; ; i++) all.push(('x' + i).padEnd(1000))",
    ],
    ["an ArrayBuffer", "SANDBOX_UNKNOWN_GLOBAL", "return new ArrayBuffer(2 ** 31)"],
    ["process.exit", "SANDBOX_UNKNOWN_GLOBAL", "process.exit(1)"],
    ["large arguments", "SANDBOX_ARGUMENTS_TOO_LARGE", "await mcp.a.quick('x'.repeat(2 ** 21))"],
    [
      "a capability that calls itself",
      "SANDBOX_CAPABILITY_DEPTH",
      "return capabilities.c()",
      { capabilities: { c: { code: "return capabilities.c()" } } },
    ],
    [
      "much said in all",
      "SANDBOX_OUTPUT_TOO_LARGE",
      "for (;;) await mcp.a.quick('x'.repeat(10 ** 6))",
      { limits: { maxArgumentBytes: 2 ** 21 } },
    ],
    ["a heap full of arrays", "SANDBOX_MEMORY", "const all = []; for (;;) all.push(new Array(1000).fill(0.1))"],
    ["one huge array", "SANDBOX_MEMORY", "return new Array(3e7).fill(0.1).length"],
    ["one huge string", "SANDBOX_MEMORY", "const text = 'x'.repeat(2 ** 28); /y/.test(text); return text.length"],
    ["recursion", "SANDBOX_STACK_OVERFLOW", "const down = () => down() + 1; return down()"],
    ["a million tool calls", "SANDBOX_TOOL_CALLS", "for (let i = 0; i < 1e6; i++) await mcp.a.quick()"],
    ["a million tool calls at once", "SANDBOX_CONCURRENT_TOOL_CALLS", "for (let i = 0; i < 1e6; i++) mcp.a.quick()"],
    ["an answer of 100 MB", "SANDBOX_RESULT_TOO_LARGE", "return mcp.a.large()"],
    ["answers of 256 MB in all", "SANDBOX_INPUT_TOO_LARGE", "for (;;) await mcp.a.page()"],
    ["a result of 100 MB", "SANDBOX_RESULT_TOO_LARGE", "const x = 'x'.repeat(2 ** 20); return new Array(100).fill(x)"],
    ["a flood of logs", "SANDBOX_LOG_LINES", "for (;;) console.log('x'.repeat(9000))"],
  ])("the host's memory and handles are where they were after %s (%s)", async (_, expected, code, request) => {
  await outcome(code, { tools, ...request });
  const before = await measure();
  for (let count = 0; count < TIMES; count++) expect(await outcome(code, { tools, ...request })).toBe(expected);
  expectSame(await measure(), before);
  expect(await outcome("return 1 + 1")).toBe(2);
});

it.runIf(process.platform === "linux")("they are after aborts at any moment", async () => {
  const before = await measure();
  for (let afterMs = 0; afterMs < 150; afterMs += 10) {
    const code = "for (let i = 0; ; i++) { await mcp.a.quick(); console.log(i) }";
    expect(await outcome(code, { tools, limits: UNLIMITED, signal: AbortSignal.timeout(afterMs) })).toMatch(
      /SANDBOX_ABORTED|SANDBOX_LOG_LINES/,
    );
  }
  expectSame(await measure(), before);
});

it.runIf(process.platform === "linux")("they are after children that were killed from outside", async () => {
  const before = await measure();
  for (let count = 0; count < TIMES; count++) {
    const kill = [{ id: "a:kill", call: () => listChildren().forEach((pid) => process.kill(Number(pid), "SIGKILL")) }];
    expect(await outcome("await mcp.a.kill(); for (;;) {}", { tools: kill })).toBe("SANDBOX_CRASHED");
  }
  expectSame(await measure(), before);
});

it.runIf(process.platform === "linux")("they are after a million tool calls that were allowed", async () => {
  const before = await measure();
  const code =
    "for (let i = 0; i < 1e4; i++) await Promise.all(Array.from({ length: 100 }, () => mcp.a.quick())); return 'done'";
  expect(await outcome(code, { tools, limits: UNLIMITED })).toBe("done");
  expectSame(await measure(), before);
});

interface Measured {
  memoryMb: number;
  descriptors: number;
  children: number;
}

/** With the next child ready: it is part of where the host was. */
async function measure(): Promise<Measured> {
  await outcome("return 1");
  await wait(100);
  for (let count = 0; count < 3; count++) {
    collectGarbage();
    await wait(20);
  }
  const { heapUsed, external } = process.memoryUsage();
  return {
    memoryMb: (heapUsed + external) / MEGABYTE,
    descriptors: readdirSync("/proc/self/fd").length,
    children: listChildren().length,
  };
}

function listChildren(): string[] {
  return readFileSync(`/proc/self/task/${process.pid}/children`, "utf8").split(" ").filter(Boolean);
}

function expectSame(after: Measured, before: Measured): void {
  expect(after.memoryMb - before.memoryMb).toBeLessThan(5);
  expect(after.descriptors).toBeLessThanOrEqual(before.descriptors);
  expect(after.children).toBeLessThanOrEqual(before.children);
}
