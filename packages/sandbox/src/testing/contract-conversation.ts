import { deepEqual, equal, ok } from "node:assert/strict";

import type { Outcome } from "../runner/runner.js";
import type { TrialCase } from "./trial.js";

/** What a program and its host say to each other. */
export const CONVERSATION: readonly TrialCase[] = [
  {
    name: "gives back what the code returns",
    async check(trial) {
      deepEqual(valueOf(await trial.run({ code: "return { a: [1, 'two', null], when: new Date(0) }" })), {
        a: [1, "two", null],
        when: new Date(0),
      });
    },
  },
  {
    name: "gives the code its context as args, context and free identifiers",
    async check(trial) {
      const code = "return [args === context, args.path, path]";
      deepEqual(valueOf(await trial.run({ code, context: { path: "a.txt" } })), [true, "a.txt", "a.txt"]);
    },
  },
  {
    name: "carries calls to the host and answers back",
    async check(trial) {
      const calls: unknown[] = [];
      const outcome = await trial.run({
        code: "return [await mcp.fs.read({ path: 'a' }), await mcp['fs']['read']({ path: 'b' })]",
        call({ tool, args }) {
          calls.push([tool, args]);
          return (args as { path: string }).path.toUpperCase();
        },
      });
      deepEqual(valueOf(outcome), ["A", "B"]);
      deepEqual(calls, [
        ["fs:read", { path: "a" }],
        ["fs:read", { path: "b" }],
      ]);
    },
  },
  {
    name: "lets the code catch a fault, with its code",
    async check(trial) {
      const outcome = await trial.run({
        code: "try { await mcp.a.b() } catch (error) { return [error instanceof Error, error.code, error.message] }",
        call() {
          throw new Error("no luck");
        },
      });
      deepEqual(valueOf(outcome), [true, "SANDBOX_TOOL_FAILED", "no luck"]);
    },
  },
  {
    name: "answers calls in whatever order the host does",
    async check(trial) {
      const waiting: (() => void)[] = [];
      const outcome = await trial.run({
        code: "return Promise.all([1, 2, 3].map((n) => mcp.a.b({ n })))",
        call: ({ args }) =>
          new Promise((resolve) => {
            waiting.unshift(() => resolve((args as { n: number }).n));
            if (waiting.length === 3) for (const settle of waiting) settle();
          }),
      });
      deepEqual(valueOf(outcome), [1, 2, 3]);
    },
  },
  {
    name: "runs capabilities inline, with arguments over their defaults, and says where they begin and end",
    async check(trial) {
      const seen: string[] = [];
      const outcome = await trial.run({
        code: "return capabilities.text.shout({ word: 'hi' })",
        capabilities: [
          { name: "text:shout", code: "return word.toUpperCase() + mark", defaults: { word: "", mark: "!" } },
        ],
        observe: ({ event }) => void seen.push(event.type),
      });
      equal(valueOf(outcome), "HI!");
      deepEqual(seen, ["capability_start", "capability_end"]);
    },
  },
  {
    name: "reports events before the run is over",
    async check(trial) {
      let logged = false;
      const outcome = await trial.run({
        code: "console.log('now'); return mcp.was.logged()",
        call: () => logged,
        observe: ({ event }) => {
          logged ||= event.type === "log";
        },
      });
      equal(valueOf(outcome), true);
    },
  },
  {
    name: "says what the code threw, and on which line",
    async check(trial) {
      const outcome = await trial.run({ code: "\nconst one = 1;\nnull.field" });
      ok(!outcome.ok);
      equal(outcome.fault.code, "SANDBOX_CODE_THREW");
      equal(outcome.fault.details["line"], 3);
    },
  },
  {
    name: "keeps concurrent runs apart",
    async check(trial) {
      const outcomes = await Promise.all(
        Array.from({ length: 8 }, (_, n) =>
          trial.run({ code: "return [n, await mcp.a.b()]", context: { n }, call: () => n * 10 }),
        ),
      );
      deepEqual(
        outcomes.map(valueOf),
        Array.from({ length: 8 }, (_, n) => [n, n * 10]),
      );
    },
  },
  {
    name: "reports the clock readings a program took",
    async check(trial) {
      const outcome = await trial.run({ code: "return [Date.now(), new Date().getTime()]" });
      const times = outcome.clock.flatMap(([timeMs, count]) => Array.from({ length: count }, () => timeMs));
      deepEqual(valueOf(outcome), times);
    },
  },
];

function valueOf(outcome: Outcome): unknown {
  ok(outcome.ok, outcome.ok ? "" : `${outcome.fault.code}: ${outcome.fault.message}`);
  return outcome.value;
}
