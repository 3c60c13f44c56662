import { expect, it } from "vitest";

import { describeExit } from "./exit.js";

it.each([
  ["a full heap", "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory"],
  ["an array of impossible size", "# Fatal JavaScript invalid size error 169220804 (see crbug.com/1201626)"],
  ["a table of impossible size", "FATAL ERROR: invalid table size Allocation failed"],
])("a child with %s ran out of memory", (_, stderr) => {
  expect(describeExit({ code: null, signal: "SIGABRT", stderr })).toEqual({ reason: "memory" });
});

it("a child that was killed says by what", () => {
  expect(describeExit({ code: null, signal: "SIGKILL", stderr: "" })).toEqual({
    reason: "crash",
    detail: "signal SIGKILL",
  });
});

it("a child that exited says its last words", () => {
  const exit = describeExit({ code: 1, signal: null, stderr: "one\ntwo\n" });
  expect(exit).toEqual({ reason: "crash", detail: "exit code 1: one two" });
});
