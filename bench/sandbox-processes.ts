import { readdirSync, readFileSync } from "node:fs";

import { createSandbox, DEFAULT_SANDBOX_OPTIONS, type Tool } from "@pml/sandbox";

import { printFacts } from "./sandbox-harness.js";
import type { Peer } from "./sandbox-peers.js";

const RESIDENT_GOAL_MB = 60;

/** Processor time of a run, in the host and its children together: what is made ahead is paid for here as well. */
export async function printCpu(peers: Peer[], runs: number, work: (peer: Peer) => Promise<unknown>): Promise<void> {
  if (process.platform !== "linux") return;
  const rows: string[][] = [];
  for (const peer of peers) {
    const before = readCpuMs();
    for (let count = 0; count < runs; count++) await work(peer);
    rows.push([peer.name, `${((readCpuMs() - before) / runs).toFixed(3)} ms`]);
  }
  printFacts("Processor time of one run with one tool call, of all processes and threads", rows);
}

/** What a child holds after as many runs as it may serve before it is replaced. */
export async function printResident(run: { code: () => string; tools: Tool[] }): Promise<void> {
  if (process.platform !== "linux") return;
  const before = listChildren();
  await using sandbox = createSandbox({ pool: { size: 1 } });
  const runOnce = (): Promise<unknown> => sandbox.run({ code: run.code(), tools: run.tools }).result;
  await runOnce();
  const pid = listChildren().find((each) => !before.includes(each));
  if (pid === undefined) return;
  const first = readResidentMb(pid);
  // One less than it may serve: with the last it would be gone.
  for (let count = 2; count < DEFAULT_SANDBOX_OPTIONS.pool.maxRuns; count++) await runOnce();
  const last = readResidentMb(pid);
  const verdict = last <= RESIDENT_GOAL_MB ? "met" : "MISSED";
  printFacts("Resident memory of a child", [
    ["after its first run", `${first.toFixed(1)} MB`],
    ["after its last", `${last.toFixed(1)} MB`, `goal ≤ ${RESIDENT_GOAL_MB} MB ${verdict}`],
  ]);
}

function listChildren(): string[] {
  return readFileSync(`/proc/self/task/${process.pid}/children`, "utf8").split(" ").filter(Boolean);
}

/** The scheduler's own count, in nanoseconds, of each thread. */
function readCpuMs(): number {
  const threads = [String(process.pid), ...listChildren()].flatMap((pid) =>
    readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}/schedstat`),
  );
  return threads.reduce((sum, path) => sum + Number(readFileSync(path, "utf8").split(" ")[0]) / 1e6, 0);
}

function readResidentMb(pid: string): number {
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kilobytes) / 1024;
}
