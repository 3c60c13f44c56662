import { deepEqual, equal } from "node:assert/strict";

import type { SandboxErrorCode } from "../error.js";
import type { TrialCase, TrialProgram } from "./trial.js";

type Row = [name: string, code: SandboxErrorCode, program: TrialProgram];

const never = (): Promise<never> => new Promise(() => {});

const ROWS: readonly Row[] = [
  ["an endless loop", "SANDBOX_TIMEOUT", { code: "while (true) {}", limits: { timeoutMs: 300 } }],
  ["an endless chain of promises", "SANDBOX_TIMEOUT", { code: "while (true) await null", limits: { timeoutMs: 300 } }],
  [
    "a regular expression that never comes back",
    "SANDBOX_TIMEOUT",
    { code: "return /^(a+)+$/.test('a'.repeat(40) + '!')", limits: { timeoutMs: 300 } },
  ],
  [
    "a tool that never answers",
    "SANDBOX_TIMEOUT",
    { code: "await mcp.a.b()", limits: { timeoutMs: 300 }, call: never },
  ],
  [
    "a heap filled with arrays",
    "SANDBOX_MEMORY",
    { code: "const all = []; while (true) all.push(new Array(1000).fill(0.5))", limits: { memoryMb: 32 } },
  ],
  ["a promise that nothing settles", "SANDBOX_STALLED", { code: "await new Promise(() => {})" }],
  ["recursion without end", "SANDBOX_STACK_OVERFLOW", { code: "const down = () => down() + 1; return down()" }],
  [
    "too many calls",
    "SANDBOX_TOOL_CALLS",
    { code: "while (true) await mcp.a.b()", limits: { maxToolCalls: 5 }, call: () => 1 },
  ],
  [
    "too many calls at once",
    "SANDBOX_CONCURRENT_TOOL_CALLS",
    { code: "for (let i = 0; i < 9; i++) mcp.a.b()", limits: { maxConcurrentToolCalls: 5 }, call: never },
  ],
  [
    "arguments too large",
    "SANDBOX_ARGUMENTS_TOO_LARGE",
    { code: "await mcp.a.b({ text: 'x'.repeat(2000) })", limits: { maxArgumentBytes: 1000 }, call: () => 1 },
  ],
  [
    "a result too large",
    "SANDBOX_RESULT_TOO_LARGE",
    { code: "return 'x'.repeat(2000)", limits: { maxResultBytes: 1000 } },
  ],
  [
    "too many lines of log",
    "SANDBOX_LOG_LINES",
    { code: "while (true) console.log('again')", limits: { maxLogLines: 5 } },
  ],
  [
    "capabilities that call each other for ever",
    "SANDBOX_CAPABILITY_DEPTH",
    {
      code: "return capabilities.a()",
      capabilities: [
        { name: "a", code: "return capabilities.b()" },
        { name: "b", code: "return capabilities.a()" },
      ],
    },
  ],
];

/** Every limit ends the run with its own code, and leaves the runner as it was. */
export const LIMITS: readonly TrialCase[] = [
  ...ROWS.map(([what, code, program]): TrialCase => ({
    name: `ends ${what} with ${code}, and goes on`,
    check: async (trial) => void (await trial.fail(program, code)),
  })),
  {
    name: "ends a run whose signal aborts, and goes on",
    async check(trial) {
      const controller = new AbortController();
      setTimeout(() => controller.abort(), 100);
      await trial.fail({ code: "while (true) {}", signal: controller.signal }, "SANDBOX_ABORTED");
    },
  },
  {
    name: "does not start a run whose signal has aborted",
    async check(trial) {
      await trial.fail({ code: "return 1", signal: AbortSignal.abort() }, "SANDBOX_ABORTED");
    },
  },
  {
    name: "lets no code call anything after its result",
    async check(trial) {
      let calls = 0;
      const call = (): number => ++calls;
      const code = "setInterval(() => mcp.a.b(), 1); (async () => { for (;;) await mcp.a.b() })(); return 'done'";
      await trial.run({ code, call });
      const counted = calls;
      await trial.run({ code: "await new Promise((resolve) => setTimeout(resolve, 50))" });
      equal(calls, counted);
    },
  },
  {
    name: "ends what still runs when it is closed",
    async check(trial) {
      const running = trial.run({ code: "while (true) {}" });
      await trial.close();
      deepEqual((await running).ok, false);
    },
  },
  {
    name: "runs nothing once it is closed",
    async check(trial) {
      await trial.close();
      deepEqual((await trial.run({ code: "return 1" })).ok, false);
    },
  },
];
