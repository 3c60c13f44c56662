import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";

import type IsolatedVm from "isolated-vm";

/**
 * isolated-vm is native and its install script is refused like any other, so that installing this repository needs no
 * compiler. It is built here, the first time a benchmark wants it; where that fails, the benchmarks go without it.
 */
export function loadIsolatedVm(): typeof IsolatedVm | undefined {
  return find() ?? (build() ? find() : undefined);
}

function find(): typeof IsolatedVm | undefined {
  try {
    return createRequire(import.meta.url)("isolated-vm") as typeof IsolatedVm;
  } catch {
    return undefined;
  }
}

function build(): boolean {
  console.log("Building isolated-vm, once …");
  const { status } = spawnSync("npm", ["explore", "isolated-vm", "--", "npm", "run", "rebuild"], { stdio: "ignore" });
  if (status !== 0) console.log("isolated-vm could not be built here: the comparison goes without it.");
  return status === 0;
}
