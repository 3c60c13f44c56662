// Copies regions of the examples into the Markdown that shows them; `--check` only compares.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";

import { syncSnippets } from "./snippets.js";

const checkOnly = process.argv.includes("--check");
const stale = listDocuments().filter((path) => !isInStep(path));

if (checkOnly && stale.length > 0) {
  console.error(`Out of step with the examples: ${stale.join(", ")}. Run: npm run docs:sync`);
  process.exitCode = 1;
}

function isInStep(path: string): boolean {
  const before = readFileSync(path, "utf8");
  const after = syncSnippets(before, (source) => readFileSync(source, "utf8"));
  if (before === after) return true;
  if (!checkOnly) writeFileSync(path, after);
  return false;
}

function listDocuments(): string[] {
  const folders = ["docs", "packages", "examples"];
  const nested = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) => `${folder}/${path}`),
  );
  return [...readdirSync("."), ...nested].filter((path) => /\.(md|txt)$/.test(path) && !path.includes("node_modules"));
}
