import type { Pml, Tool } from "@pml/core";
import { afterAll, beforeAll } from "vitest";

import { connect, type Connected, openMemory } from "./world.js";

export const PATH: object = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
const tools: Tool[] = [
  {
    id: "fs:read",
    description: "Read a file as text",
    inputSchema: PATH,
    annotations: { readOnlyHint: true },
    execute: ({ path }) => ({ content: JSON.stringify({ name: path }) }),
  },
  {
    id: "fs:delete",
    description: "Delete a file",
    inputSchema: PATH,
    annotations: { destructiveHint: true },
    execute: ({ path }) => ({ deleted: path }),
  },
  {
    id: "slow:wait",
    description: "Wait until it is told to stop",
    execute: (_, { signal }) =>
      new Promise((_resolve, reject) =>
        signal.addEventListener("abort", () => (aborted++, reject(signal.reason as Error))),
      ),
  },
];
/** How many calls of `slow:wait` were told to stop. */
export let aborted = 0;

export const READ = `const file = await mcp.fs.read({ path: "a.json" }); return JSON.parse(file.content).name;`;

export interface ServerWorld {
  pml: () => Pml;
  /** A client that is connected to it. */
  world: () => Connected;
  listNames(): Promise<string[]>;
}

/** A memory with one named capability, behind a server. */
export function useServer(): ServerWorld {
  let [pml, world]: [Pml?, Connected?] = [];
  beforeAll(async () => {
    pml = await openMemory({ tools });
    world = await connect(pml);
    await world.call("pml_execute", { intent: "read the name in a json file", code: READ, name: "fs:read_name" });
  }, 60_000);
  afterAll(async () => {
    await world?.client.close();
    await pml?.close();
  });
  return {
    pml: () => pml as Pml,
    world: () => world as Connected,
    listNames: async () => ((await world?.client.listTools())?.tools ?? []).map(({ name }) => name),
  };
}
