import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { useSandbox } from "./shared-sandbox.js";

const { outcome, observe } = useSandbox({ pool: { size: 2 }, limits: { timeoutMs: 20_000, memoryMb: 64 } });
const MEGABYTE = 1024 * 1024;
const tools = [{ id: "a:quick", call: (args: unknown) => args }];

/** The heaviest single allocations: those that end a host whose code runs in a thread. */
describe("one huge allocation does not harm the host:", () => {
  it.each([
    ["a string of half a gigabyte", "const text = 'x'.repeat(2 ** 29 - 24); return /y/.test(text)"],
    ["a string of a gigabyte", "const text = 'ж'.repeat(2 ** 29 - 24); return /y/.test(text)"],
    ["JSON of half a gigabyte", "return JSON.stringify('x'.repeat(2 ** 28)).length"],
    ["JSON of a long list", "return JSON.stringify(new Array(2e7).fill(1)).length"],
    ["a list of a hundred million", "return new Array(1e8).fill(0).length"],
    ["thirty million elements, sorted", "return Array.from({ length: 3e7 }, (_, i) => -i).sort().length"],
    ["a list concatenated with itself", "let list = [1]; for (;;) list = list.concat(list)"],
    ["a string that doubles", "let text = 'x'; for (;;) { text += text; text.charCodeAt(0) }"],
    ["a number of a billion bits", "return typeof (1n << 1000000000n)"],
    ["a map of ten million", "return new Map(Array.from({ length: 1e7 }, (_, i) => [i, i])).size"],
    ["a regular expression over it all", "return 'ab'.repeat(2 ** 26).match(/./g).length"],
    [
      "a template of templates",
      "let text = 'x'; for (let i = 0; i < 40; i++) text = `${text}${text}`; return text.length",
    ],
    ["padding without end", "return ''.padEnd(2 ** 29 - 24, 'ab').split('a').length"],
    ["replacing without end", "let text = 'a'; for (;;) text = text.replaceAll('a', 'aa')"],
    ["spreading without end", "let list = [1]; for (;;) list = [...list, ...list]"],
    ["flattening without end", "let list = [1, 2]; for (;;) list = [list, list].flat()"],
  ])("%s", async (_, code) => {
    const ended = await outcome(code);
    expect(["SANDBOX_MEMORY", "SANDBOX_CODE_THREW", "SANDBOX_TIMEOUT"]).toContain(ended);
    expect(await outcome("return 1 + 1")).toBe(2);
  });
});

describe("after thousands of runs", () => {
  it("the host's memory and handles are where they were", async () => {
    await doWork();
    const before = measure();
    await doWork();
    await doWork();
    const after = measure();
    expect(after.heapMb - before.heapMb).toBeLessThan(15);
    expect(after.descriptors).toBeLessThanOrEqual(before.descriptors + 4);
  });
});

async function doWork(): Promise<void> {
  for (let count = 0; count < 1500; count++) {
    await observe({ code: "console.log(n); return mcp.a.quick({ n })", tools, context: { n: count } });
    if (count % 300 === 0) await outcome("for (;;) {}", { limits: { timeoutMs: 50 } });
  }
}

function measure(): { heapMb: number; descriptors: number } {
  globalThis.gc?.();
  const descriptors = process.getActiveResourcesInfo().length;
  return { heapMb: process.memoryUsage().heapUsed / MEGABYTE, descriptors: descriptors + countThreads() };
}

function countThreads(): number {
  if (process.platform !== "linux") return 0;
  return Number(/^Threads:\s+(\d+)/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1]);
}
