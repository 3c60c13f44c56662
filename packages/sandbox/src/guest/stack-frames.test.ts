import { expect, it } from "vitest";

import { listFrames, unitUrl } from "./stack-frames.js";

it("only the agent's own frames are kept, with the lines of its own code", () => {
  const stack = `TypeError: x
    at inner (pml:capability/fs:read:3:9)
    at Object.get (file:///app/node_modules/@pml/sandbox/dist/child-main.js:10:20)
    at eval (pml:code:2:1)
    at node:internal/process/task_queues:95:5`;
  expect(listFrames(stack)).toEqual([
    { unit: "fs:read", line: 2, column: 9 },
    { unit: "code", line: 1, column: 1 },
  ]);
});

it("a unit is found again by its name in a stack", () => {
  expect(listFrames(`    at ${unitUrl("ns:do@v1")}:2:5`)).toEqual([{ unit: "ns:do@v1", line: 1, column: 5 }]);
});
