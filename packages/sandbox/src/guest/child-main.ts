// What the child process runs: it reads from its standard input and writes to its standard output.
import { Buffer } from "node:buffer";
import { closeSync, writeSync } from "node:fs";
import process from "node:process";

import { disarmProcess } from "./disarm.js";
import { serve } from "./serve.js";

const STDOUT = 1;
const { stdin } = process;

// What the host could not keep to itself: descriptors it was started with, by number.
for (const stray of process.argv[2]?.match(/\d+/g) ?? []) closeSync(Number(stray));
disarmProcess();

serve({
  write,
  listen(onText) {
    stdin.setEncoding("utf8");
    stdin.on("data", onText);
    // The host is gone.
    stdin.on("end", () => process.exit(0));
  },
});

/** Blocks until the host has taken it: what was said before code hangs is said, and nothing piles up here. */
function write(text: string): void {
  const bytes = Buffer.from(text);
  for (let written = 0; written < bytes.length;) written += tryWrite(bytes, written);
}

function tryWrite(bytes: Buffer, from: number): number {
  try {
    return writeSync(STDOUT, bytes, from);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EAGAIN") return 0;
    return process.exit(1);
  }
}
