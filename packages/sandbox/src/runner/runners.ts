import { createPooledRunner, type PooledRunnerOptions } from "./pooled-runner.js";
import { createProcessStart } from "./process-link.js";
import type { Runner } from "./runner.js";
import { startWorker } from "./worker-link.js";

export type { PooledRunnerOptions };

/** Children are processes: for code nobody has read. */
export function createProcessRunner(options: PooledRunnerOptions): Runner {
  return createPooledRunner(createProcessStart(), options);
}

/**
 * Children are threads of the host's own process: quicker to start, but some ways to run out of memory take the host
 * with them. For code one trusts more.
 */
export function createWorkerRunner(options: PooledRunnerOptions): Runner {
  return createPooledRunner(startWorker, options);
}
