import { readFileSync } from "node:fs";

import { expect, it } from "vitest";

interface Entry {
  resolved?: string;
  optionalDependencies?: Record<string, string>;
}

const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as { packages: Record<string, Entry> };
const entries = Object.entries(packages);

it("names no registry, so that each clone uses its own", () => {
  expect(entries.filter(([, { resolved }]) => resolved?.includes("://"))).toEqual([]);
});

// `npm ci` refuses a lock file in which one is missing, and npm leaves out those it cannot find when it writes it.
it("has the packages of every platform", () => {
  const missing = entries.flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => !isInstalledFor(path, name)),
  );
  expect(missing).toEqual([]);
});

/** Node looks in the dependent's own `node_modules`, then in those of each folder above it. */
function isInstalledFor(path: string, name: string): boolean {
  const parents = path
    .split("/node_modules/")
    .map((_, depth, parts) => parts.slice(0, depth + 1).join("/node_modules/"));
  const folders = [...parents.map((parent) => `${parent}/node_modules`), "node_modules"];
  return folders.some((folder) => `${folder}/${name}` in packages);
}
