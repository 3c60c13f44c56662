import { Worker } from "node:worker_threads";

import { type Link, openLink } from "./link.js";

/** V8 counts the young generation apart. */
const YOUNG_GENERATION_MB = 24;

/** A worker thread: lighter than a process, and in the same one as its host. */
export function startWorker(memoryMb: number): Link {
  const worker = new Worker(new URL("./worker-main.js", import.meta.url), {
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
  });
  worker.unref();
  const { link, receive, end } = openLink({
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    write: (text) => worker.postMessage(text),
    kill: () => void worker.terminate(),
    hold: () => worker.ref(),
    release: () => worker.unref(),
  });
  let failure = "";
  worker.on("message", receive);
  worker.on("error", (error: NodeJS.ErrnoException) => {
    failure = error.code ?? error.message;
  });
  worker.on("exit", (code) => {
    if (failure === "ERR_WORKER_OUT_OF_MEMORY") end({ reason: "memory" });
    else end({ reason: "crash", detail: failure || `exit code ${code}` });
  });
  return link;
}
