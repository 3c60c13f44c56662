import type { LinkExit } from "./link.js";

export interface ProcessExit {
  code: number | null;
  signal: string | null;
  stderr: string;
}

/** V8's last words when it cannot get more memory. */
const OUT_OF_MEMORY =
  /heap out of memory|Allocation failed|invalid (?:array|table|string) length|Fatal JavaScript invalid size|process OOM/i;

/** Why a child process ended. */
export function describeExit({ code, signal, stderr }: ProcessExit): LinkExit {
  if (OUT_OF_MEMORY.test(stderr)) return { reason: "memory" };
  const how = signal === null ? `exit code ${code}` : `signal ${signal}`;
  const words = stderr.trim().split("\n").slice(-3).join(" ");
  return { reason: "crash", detail: words === "" ? how : `${how}: ${words.slice(0, 500)}` };
}
