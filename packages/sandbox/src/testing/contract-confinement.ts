import { deepEqual } from "node:assert/strict";

import type { SandboxErrorCode } from "../error.js";
import type { TrialCase } from "./trial.js";

/** Code that tries to get at something, and what it gets. */
const REFUSED: readonly [name: string, code: string, error: SandboxErrorCode][] = [
  ["process", "return process.env", "SANDBOX_UNKNOWN_GLOBAL"],
  ["require", "return require('fs')", "SANDBOX_UNKNOWN_GLOBAL"],
  ["fetch", "return fetch('https://example.com')", "SANDBOX_UNKNOWN_GLOBAL"],
  ["import()", "return import('node:fs')", "SANDBOX_FORBIDDEN_SYNTAX"],
  ["eval", "return (0, eval)('1')", "SANDBOX_UNKNOWN_GLOBAL"],
  ["the Function constructor", "return (() => {}).constructor('return 1')()", "SANDBOX_CODE_THREW"],
  ["a changed prototype", "Object.prototype.polluted = true", "SANDBOX_CODE_THREW"],
  ["an ArrayBuffer", "return new ArrayBuffer(2 ** 30)", "SANDBOX_UNKNOWN_GLOBAL"],
  ["a function as its result", "return () => 1", "SANDBOX_VALUE_REFUSED"],
  ["a way out of its function", "}); globalThis.out = 1; (async () => {", "SANDBOX_SYNTAX"],
];

/** What code cannot reach. */
export const CONFINEMENT: readonly TrialCase[] = [
  ...REFUSED.map(([what, code, error]): TrialCase => ({
    name: `gives code no ${what}`,
    check: async (trial) => void (await trial.fail({ code }, error)),
  })),
  {
    name: "lets nothing of one run be seen by the next",
    async check(trial) {
      const mark =
        "for (const target of [Array, Map.prototype, Math, JSON, URL, Date]) { try { target.mark = 1 } catch {} }";
      await trial.run({ code: mark });
      const code = "return [Array, Map.prototype, Math, JSON, URL, Date].some((target) => 'mark' in target)";
      const outcome = await trial.run({ code });
      deepEqual(outcome.ok && outcome.value, false);
    },
  },
  {
    name: "gives no clock to a program that may not have one",
    check: async (trial) =>
      void (await trial.fail({ code: "return Date.now()", clock: false }, "SANDBOX_POWER_DENIED")),
  },
];
