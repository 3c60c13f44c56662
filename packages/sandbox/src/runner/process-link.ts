import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import type { Socket } from "node:net";
import { fileURLToPath } from "node:url";

import { describeExit } from "./exit.js";
import { createInheritableList } from "./inheritable.js";
import { type Child, type Link, openLink, type StartLink } from "./link.js";
import { listProcessFlags } from "./process-flags.js";

/** Enough for V8's last words. */
const MAX_STDERR = 16 * 1024;

/**
 * Starts child processes with nothing of their host's: no environment, no descriptors but their three pipes, and, by
 * Node's permission model, no file but their own code.
 */
export function createProcessStart(): StartLink {
  const entry = fileURLToPath(new URL("./child-main.js", import.meta.url));
  const listInheritable = createInheritableList();
  return (memoryMb) => {
    const args = [...listProcessFlags(memoryMb, entry), entry, listInheritable().join()];
    return watchProcess(spawn(process.execPath, args, { env: {}, stdio: "pipe", windowsHide: true }));
  };
}

function watchProcess(process_: ChildProcess): Link {
  const { link, receive, end } = openLink(asChild(process_));
  let stderr = "";
  process_.on("error", (error) => end({ reason: "crash", detail: error.message }));
  process_.on("close", (code, signal) => end(describeExit({ code, signal, stderr })));
  // A host that is out of descriptors gets a process without streams, and then the error.
  process_.stdout?.setEncoding("utf8").on("data", receive);
  process_.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr = (stderr + text).slice(0, MAX_STDERR);
  });
  // Writing to a child that is gone: its exit says all there is to say.
  process_.stdin?.on("error", () => {});
  offerFirst(process_.pid);
  return link;
}

/** Should the machine run out of memory, Linux takes the child rather than its host. */
function offerFirst(pid: number | undefined): void {
  if (process.platform !== "linux" || pid === undefined) return;
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, "1000");
  } catch {
    // Where this is not allowed, or the child is gone already, nothing is lost.
  }
}

function asChild(process_: ChildProcess): Child {
  // The streams of a child are sockets, which can let go of the event loop; their type does not say so.
  const { stdin, stdout, stderr } = process_ as unknown as Record<string, Socket | undefined>;
  for (const handle of [process_, stdin, stdout, stderr]) handle?.unref();
  return {
    write: (text) => void stdin?.write(text),
    kill() {
      // Whoever waits for its end should live to see it.
      process_.ref();
      process_.kill("SIGKILL");
    },
    // One of the four is enough.
    hold: () => void stdout?.ref(),
    release: () => void stdout?.unref(),
  };
}
