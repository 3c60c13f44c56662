import { expect, it } from "vitest";

import { outlineRun } from "./past-runs.js";

const task = (id: string, tool: string | null) => ({ id, type: "task", tool });

it.each<[what: string, nodes: Parameters<typeof outlineRun>[0], edges: [string, string][], expected: object]>([
  [
    "from tool to tool",
    [task("n1", "fs:read"), task("n2", "mail:send")],
    [["n1", "n2"]],
    { tools: ["fs:read", "mail:send"], flows: [["fs:read", "mail:send"]] },
  ],
  [
    "through operations, capabilities and loops",
    [
      task("n1", "fs:read"),
      task("n2", "code:map"),
      { id: "n3", type: "capability" },
      { id: "l1", type: "loop" },
      task("n4", "mail:send"),
    ],
    [
      ["n1", "n2"],
      ["n2", "n3"],
      ["n3", "l1"],
      ["l1", "n4"],
    ],
    { tools: ["fs:read", "mail:send"], flows: [["fs:read", "mail:send"]] },
  ],
  [
    "no further than the next tool",
    [task("n1", "a:a"), task("n2", "b:b"), task("n3", "c:c")],
    [
      ["n1", "n2"],
      ["n2", "n3"],
    ],
    {
      tools: ["a:a", "b:b", "c:c"],
      flows: [
        ["a:a", "b:b"],
        ["b:b", "c:c"],
      ],
    },
  ],
  [
    "round a circle once, and to no tool that is only known at run time",
    [task("n1", "a:a"), task("n2", "code:x"), task("n3", "b:*"), task("n4", null)],
    [
      ["n1", "n2"],
      ["n2", "n1"],
      ["n1", "n3"],
      ["n1", "gone"],
    ],
    { tools: ["a:a"], flows: [] },
  ],
])("data goes %s", (_, nodes, edges, expected) => {
  expect(outlineRun(nodes, edges)).toEqual(expected);
});
