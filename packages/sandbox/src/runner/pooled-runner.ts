import { performance } from "node:perf_hooks";

import type { Fault } from "../error.js";
import { type StartLink, startSafely } from "./link.js";
import { Pool, type PoolOptions } from "./pool.js";
import { RunSession } from "./run-session.js";
import type { Outcome, Powers, Program, Runner } from "./runner.js";

export interface PooledRunnerOptions {
  pool: PoolOptions;
  /** The heap of children started ahead. */
  memoryMb: number;
}

/** Runs each program in a child of a pool. */
export function createPooledRunner(start: StartLink, options: PooledRunnerOptions): Runner {
  const pool = new Pool(startSafely(start), options.pool, options.memoryMb);
  let runs = 0;
  return { run, close: () => pool.close() };

  async function run(program: Program, powers: Powers): Promise<Outcome> {
    const session = await startSession(program, powers);
    if (!(session instanceof RunSession)) return fail(session);
    const outcome = await session.outcome;
    if (outcome.ok || outcome.fault.code !== "SANDBOX_CRASHED" || !session.isSilent) return outcome;
    // The child was dead before it got the run, and nobody knew yet: another one gets it, once.
    const second = await startSession(program, powers);
    return second instanceof RunSession ? second.outcome : fail(second);
  }

  async function startSession(program: Program, powers: Powers): Promise<RunSession | Fault> {
    if (powers.signal.aborted) return ABORTED;
    try {
      const { link, giveBack } = await pool.lease(program.limits.memoryMb, powers.signal);
      return new RunSession({ run: ++runs, program, powers, link, leave: giveBack, now });
    } catch (error) {
      return powers.signal.aborted ? ABORTED : startFault(error as Error);
    }
  }
}

function now(): number {
  return performance.timeOrigin + performance.now();
}

const ABORTED: Fault = { code: "SANDBOX_ABORTED", message: "The run was aborted before it started.", details: {} };

function fail(fault: Fault): Outcome {
  return { ok: false, fault, clock: [], droppedEvents: 0 };
}

function startFault(error: Error): Fault {
  return {
    code: "SANDBOX_START_FAILED",
    message: `A child could not be started: ${error.message}`,
    details: { reason: error.message },
  };
}
