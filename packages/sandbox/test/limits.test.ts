import { readFileSync } from "node:fs";

import { createSandbox, type RunRequest, type SandboxErrorCode } from "@pml/sandbox";
import { describe, expect, it } from "vitest";

import { useSandbox } from "./shared-sandbox.js";

const { run, outcome } = useSandbox({ limits: { memoryMb: 48 } });
const never = { id: "a:never", call: () => new Promise(() => {}) };
const quick = { id: "a:quick", call: () => 1 };
const large = { id: "a:large", call: () => "x".repeat(100 * 1024 * 1024) };
const page = { id: "a:page", call: () => "x".repeat(10 ** 5) };
const tools = [never, quick, large, page];
const SHORT = { limits: { timeoutMs: 300 } };

type Row = [name: string, expected: SandboxErrorCode, ...request: [code: string, request?: Partial<RunRequest>]];

const TIME: Row[] = [
  ["an endless loop", "SANDBOX_TIMEOUT", "for (;;) {}", SHORT],
  ["an endless loop inside try", "SANDBOX_TIMEOUT", "for (;;) { try { for (;;) {} } finally { continue } }", SHORT],
  ["an endless loop after an await", "SANDBOX_TIMEOUT", "await mcp.a.quick(); for (;;) {}", SHORT],
  [
    "an endless loop in a timer",
    "SANDBOX_TIMEOUT",
    "await new Promise(() => setTimeout(() => { for (;;) {} }))",
    SHORT,
  ],
  ["an endless loop of awaits", "SANDBOX_TIMEOUT", "for (;;) await null", SHORT],
  ["an endless loop of timers", "SANDBOX_TIMEOUT", "for (;;) await new Promise((done) => setTimeout(done))", SHORT],
  ["an endless loop in a getter of the result", "SANDBOX_TIMEOUT", "return { get then() { for (;;) {} } }", SHORT],
  ["an endless generator", "SANDBOX_TIMEOUT", "for (const _ of (function* () { for (;;) yield 1 })()) {}", SHORT],
  [
    "a flood of microtasks",
    "SANDBOX_TIMEOUT",
    "const flood = () => { Promise.resolve().then(flood) }; flood(); await new Promise(() => setTimeout(() => {}, 1e6))",
    SHORT,
  ],
  [
    "a flood of microtasks left behind by a result",
    "SANDBOX_TIMEOUT",
    "(async () => { for (;;) await null })(); return 1",
    SHORT,
  ],
  ["a regular expression that backtracks", "SANDBOX_TIMEOUT", "return /^(?:a|a)+$/.test('a'.repeat(60) + '!')", SHORT],
  ["a long sort", "SANDBOX_TIMEOUT", "[3, 2, 1].sort(() => { for (;;) {} })", SHORT],
  ["a very large number", "SANDBOX_TIMEOUT", "let n = 3n; for (;;) n = n ** 3n % (1n << 900000n)", SHORT],
  ["a tool that never answers", "SANDBOX_TIMEOUT", "await mcp.a.never()", SHORT],
  ["an interval that never ends", "SANDBOX_TIMEOUT", "await new Promise(() => setInterval(() => {}, 1))", SHORT],
  ["a promise that never settles", "SANDBOX_STALLED", "await new Promise(() => {})"],
  [
    "a promise that waits for itself through others",
    "SANDBOX_STALLED",
    "let done; const p = new Promise((resolve) => { done = resolve }); p.then(() => done()); await p",
  ],
];

const MEMORY: Row[] = [
  ["arrays", "SANDBOX_MEMORY", "const all = []; for (;;) all.push(new Array(1000).fill(0.1))"],
  ["objects", "SANDBOX_MEMORY", "const all = []; for (let i = 0; ; i++) all.push({ i, next: all })"],
  ["strings", "SANDBOX_MEMORY", "const all = []; for (let i = 0; ; i++) all.push(('x' + i).padEnd(1000, 'y'))"],
  ["maps", "SANDBOX_MEMORY", "const map = new Map(); for (let i = 0; ; i++) map.set(i, String(i))"],
  ["closures", "SANDBOX_MEMORY", "const all = []; for (let i = 0; ; i++) all.push(() => i)"],
  ["promises", "SANDBOX_MEMORY", "const all = []; for (;;) all.push(new Promise(() => {}))"],
  ["timers", "SANDBOX_MEMORY", "for (;;) setTimeout(() => {}, 1e6)"],
  ["symbols and properties", "SANDBOX_MEMORY", "const box = {}; for (let i = 0; ; i++) box['key' + i] = Symbol(i)"],
  ["one array", "SANDBOX_MEMORY", "return new Array(3e7).fill(0.1).length"],
  [
    "large strings, flattened",
    "SANDBOX_MEMORY",
    "const all = []; for (;;) { all.push('x'.repeat(2 ** 26) + all.length); /y/.test(all.at(-1)) }",
  ],
  [
    "one string, flattened",
    "SANDBOX_MEMORY",
    "const all = ['x'.repeat(2 ** 28)]; /y/.test(all[0]); for (let i = 0; i < 1e6; i++) all.push({ i }); return all.length",
  ],
  ["one text of JSON", "SANDBOX_MEMORY", "return JSON.stringify('\\n'.repeat(2 ** 27)).length"],
  ["one array, sorted", "SANDBOX_MEMORY", "return Array.from({ length: 3e7 }, (_, i) => -i).sort()[0]"],
  ["one split", "SANDBOX_MEMORY", "return 'ab'.repeat(2 ** 23).split('').length"],
  ["an ArrayBuffer", "SANDBOX_UNKNOWN_GLOBAL", "return new ArrayBuffer(2 ** 31)"],
  ["many ArrayBuffers", "SANDBOX_UNKNOWN_GLOBAL", "const all = []; for (;;) all.push(new ArrayBuffer(2 ** 20))"],
  ["a typed array", "SANDBOX_UNKNOWN_GLOBAL", "return new Uint8Array(2 ** 31)"],
  ["a WebAssembly memory", "SANDBOX_UNKNOWN_GLOBAL", "return new WebAssembly.Memory({ initial: 2 ** 16 })"],
];

const REST: Row[] = [
  ["recursion", "SANDBOX_STACK_OVERFLOW", "const down = (n) => down(n + 1) + 1; return down(0)"],
  ["recursion through an array", "SANDBOX_STACK_OVERFLOW", "const down = () => [1].map(down); return down()"],
  ["recursion through a getter", "SANDBOX_STACK_OVERFLOW", "const box = { get x() { return this.x } }; return box.x"],
  [
    "a million tool calls, one after the other",
    "SANDBOX_TOOL_CALLS",
    "for (let i = 0; i < 1e6; i++) await mcp.a.quick()",
  ],
  ["a million tool calls at once", "SANDBOX_CONCURRENT_TOOL_CALLS", "for (let i = 0; i < 1e6; i++) mcp.a.quick()"],
  ["tool calls that are caught", "SANDBOX_TOOL_CALLS", "for (;;) try { await mcp.a.quick() } catch {}"],
  ["large arguments", "SANDBOX_ARGUMENTS_TOO_LARGE", "await mcp.a.quick({ text: 'x'.repeat(2 ** 21) })"],
  [
    "large arguments of a capability",
    "SANDBOX_ARGUMENTS_TOO_LARGE",
    "await capabilities.c({ text: 'x'.repeat(2 ** 21) })",
    { capabilities: { c: { code: "" } } },
  ],
  ["a result of 100 MB from a tool", "SANDBOX_RESULT_TOO_LARGE", "return (await mcp.a.large()).length"],
  [
    "a result of 100 MB",
    "SANDBOX_RESULT_TOO_LARGE",
    "const part = 'x'.repeat(2 ** 20); return Array.from({ length: 100 }, () => part)",
  ],
  [
    "a large result of a capability",
    "SANDBOX_RESULT_TOO_LARGE",
    "return (await capabilities.c()).length",
    { capabilities: { c: { code: "return 'x'.repeat(2 ** 24)" } } },
  ],
  [
    "answers of tools that add up",
    "SANDBOX_INPUT_TOO_LARGE",
    "for (;;) await mcp.a.page()",
    { limits: { maxInputBytes: 10 ** 6 } },
  ],
  [
    "answers of tools that add up while nobody listens",
    "SANDBOX_INPUT_TOO_LARGE",
    "for (let i = 0; i < 50; i++) mcp.a.page(); await null; for (;;) await null",
    { limits: { maxInputBytes: 10 ** 6, timeoutMs: 5000 } },
  ],
  ["a flood of logs", "SANDBOX_LOG_LINES", "for (;;) console.log('again')"],
  ["a flood of progress", "SANDBOX_LOG_LINES", "for (;;) pml.progress({ message: 'again' })"],
  ["a flood of hints", "SANDBOX_LOG_LINES", "for (;;) pml.hint({ name: 'again' })"],
  [
    "much in all",
    "SANDBOX_OUTPUT_TOO_LARGE",
    "for (;;) await mcp.a.quick({ text: 'x'.repeat(100000) })",
    { limits: { maxOutputBytes: 10 ** 6 } },
  ],
  [
    "a capability that calls itself",
    "SANDBOX_CAPABILITY_DEPTH",
    "await capabilities.c()",
    { capabilities: { c: { code: "return capabilities.c()" } } },
  ],
  ["process.exit", "SANDBOX_UNKNOWN_GLOBAL", "process.exit(1)"],
  ["process.exit from a constructor", "SANDBOX_CODE_THREW", "({}).constructor.constructor('process.exit(1)')()"],
  [
    "process.abort from an error",
    "SANDBOX_CODE_THREW",
    "try { null.x } catch (error) { error.constructor.constructor('process.abort()')() }",
  ],
];

describe.each([
  ["time", TIME],
  ["memory", MEMORY],
  ["everything else", REST],
])("the limit of %s ends", (_, rows) => {
  it.each(rows)("%s, with %s, and the next run works", async (_name, expected, ...[code, request]) => {
    expect(await outcome(code, { tools, ...request })).toBe(expected);
    expect(await outcome("return args.n + 1", { context: { n: 1 } })).toBe(2);
  });
});

describe("a limit", () => {
  it("cannot be caught", async () => {
    const code = "try { for (;;) console.log(1) } catch { return 'caught' } finally { return 'finally' }";
    expect(await outcome(code)).toBe("SANDBOX_LOG_LINES");
  });

  it("says which it was and how to raise it", async () => {
    expect(await run({ code: "for (;;) {}", limits: { timeoutMs: 50 } })).toMatchObject({
      status: "error",
      error: { message: expect.stringContaining("limits.timeoutMs"), details: { limit: "timeoutMs", max: 50 } },
    });
  });

  it("of time says which tools had not answered", async () => {
    const result = await run({ code: "await mcp.a.never()", tools, ...SHORT });
    expect(result).toMatchObject({ error: { details: { waitingFor: ["a:never"] } } });
  });

  it("of depth shows the circle", async () => {
    const capabilities = { a: { code: "return capabilities.b()" }, b: { code: "return capabilities.a()" } };
    const result = await run({ code: "return capabilities.a()", capabilities });
    expect(result).toMatchObject({ error: { details: { cycle: ["a", "b", "a"] } } });
  });

  it("lets recursion through a capability go as deep as it says", async () => {
    const capabilities = { down: { code: "return n === 0 ? 'bottom' : capabilities.down({ n: n - 1 })" } };
    const context = { n: 15 };
    expect(await outcome("return capabilities.down({ n })", { capabilities, context })).toBe("bottom");
  });

  it("on traced steps drops them, counts them, and lets the run go on", async () => {
    const code = "for (let i = 0; i < 50; i++) __pmlHost.decision('d1', 'true', [i]); return 'done'";
    const result = await run({ code, limits: { maxTraceEvents: 20 } });
    expect(result).toMatchObject({ status: "success", value: "done", usage: { droppedEvents: 30 } });
  });
});

it.runIf(process.platform === "linux")("replaces a child that is killed from outside", async () => {
  await using sandbox = createSandbox({ pool: { size: 1 } });
  const { events, result } = sandbox.run({ code: "console.log('running'); for (;;) {}" });
  await events[Symbol.asyncIterator]().next();
  for (const pid of listChildren()) process.kill(pid, "SIGKILL");
  expect(await result).toMatchObject({ status: "error", error: { code: "SANDBOX_CRASHED" } });
  expect(await sandbox.run({ code: "return 1" }).result).toMatchObject({ value: 1 });
});

it.runIf(process.platform === "linux")("does not mind a child that is killed while it waits", async () => {
  await using sandbox = createSandbox({ pool: { size: 1 } });
  await sandbox.run({ code: "return 1" }).result;
  for (const pid of listChildren()) process.kill(pid, "SIGKILL");
  expect(await sandbox.run({ code: "return 2" }).result).toMatchObject({ value: 2 });
});

/** The sandbox's children of this very process. */
function listChildren(): number[] {
  const pids = readFileSync(`/proc/self/task/${process.pid}/children`, "utf8").split(" ").filter(Boolean);
  return pids.filter((pid) => readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("child-main")).map(Number);
}
