import type { Tool } from "@pml/sandbox";

/** A few files that live in memory, behind tools. One of them is there from the start. */
export function createFileTools(): Tool[] {
  const files = new Map([["config.json", '{ "name": "demo" }']]);
  return [
    { id: "fs:stat", call: (input) => ({ exists: files.has(pathOf(input)) }) },
    { id: "fs:read", call: (input) => files.get(pathOf(input)) },
    { id: "fs:create", call: (input) => void files.set(pathOf(input), "") },
    { id: "fs:write", call: (input) => void files.set(pathOf(input), (input as { content: string }).content) },
  ];
}

function pathOf(input: unknown): string {
  return (input as { path: string }).path;
}
