// Runs every `check:*` script of package.json, or those named: `npm run check -- lint types`.
import { spawnSync } from "node:child_process";

import manifest from "../package.json" with { type: "json" };

const PREFIX = "check:";
const wanted = process.argv.slice(2);
const checks = Object.keys(manifest.scripts)
  .filter((script) => script.startsWith(PREFIX))
  .map((script) => script.slice(PREFIX.length))
  .filter((check) => wanted.length === 0 || wanted.includes(check));

const unknown = wanted.filter((check) => !checks.includes(check));
const failed = [...unknown, ...checks.filter((check) => !passes(check))];
if (failed.length > 0) {
  console.error(`\nFailed: ${failed.join(", ")}`);
  process.exitCode = 1;
}

function passes(check: string): boolean {
  const started = Date.now();
  const { status, stdout, stderr } = spawnSync("npm", ["run", "--silent", "--loglevel=error", PREFIX + check], {
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  console.log(`${status === 0 ? "ok    " : "FAILED"}  ${check.padEnd(10)} ${seconds} s`);
  if (status !== 0) console.error(`${stdout}${stderr}`);
  return status === 0;
}
