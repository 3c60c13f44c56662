import { appendFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";

import type { DAGStructure, DagValue } from "@pml/analyzer";
import type { Tool } from "@pml/core";

const KEY = { type: "object", properties: { key: { type: "string" } }, required: ["key"] };

/** Each call is a line in a file before it answers: what was done twice can be counted whoever died. */
export function createLogTools(logFile: string): Tool[] {
  const tool = (id: string, annotations: Tool["annotations"]): Tool => ({
    id,
    description: `Write the key down (${id})`,
    inputSchema: KEY,
    ...(annotations !== undefined && { annotations }),
    async execute({ key }) {
      await wait(Math.random() * 4);
      appendFileSync(logFile, `${id} ${String(key)}\n`);
      await wait(Math.random() * 4);
      return { key };
    },
  });
  return [tool("log:effect", undefined), tool("log:again", { idempotentHint: true })];
}

/** Code in sequence, in a loop and at the same time, and a DAG; each call with a key of its own. */
export const WORK: readonly ({ intent: string; code: string } | { intent: string; dag: DAGStructure })[] = [
  {
    intent: "write two things down one after the other",
    code: `const a = await mcp.log.effect({ key: run + ".a" });
const b = await mcp.log.effect({ key: run + ".b" });
return [a.key, b.key];`,
  },
  {
    intent: "write a few things down in turn",
    code: `const keys = [];
for (const part of ["x", "y", "z"]) keys.push((await mcp.log.effect({ key: run + "." + part })).key);
return keys;`,
  },
  {
    intent: "write many things down at the same time",
    code: `const all = await Promise.all(["p", "q", "r"].map((part) => mcp.log.effect({ key: run + "." + part })));
return all.map((each) => each.key);`,
  },
  {
    intent: "write one thing down that may be repeated and one that may not",
    code: `await mcp.log.again({ key: run + ".again" });
return mcp.log.effect({ key: run + ".once" });`,
  },
  {
    intent: "write a thing down twice, by a plan",
    dag: {
      tasks: [
        task("t1", "log:effect", { $param: "run" }),
        task("t2", "log:again", { $from: "t1", path: ["key"] }, ["t1"]),
      ],
      returns: [{ value: { $from: "t2", path: ["key"] } }],
    },
  },
];

type Task = DAGStructure["tasks"][number];

function task(id: string, tool: string, key: DagValue, dependsOn: string[] = []): Task {
  return { id, tool, type: "mcp_tool", arguments: { key }, dependsOn, sideEffects: true, metadata: {} };
}
