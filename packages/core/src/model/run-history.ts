import type { CapabilityStatus } from "./capability.js";

/** So many failures in a row take a capability out of what runs by itself. */
export const DEGRADED_AFTER = 3;

/** A run that counts for its capability. */
export interface CountedRun {
  readonly success: boolean;
  /** It succeeded, and every call of it did. */
  readonly clean: boolean;
  readonly endedAtMs: number;
  /** When somebody said that it was wrong. */
  readonly rejectedAtMs: number | undefined;
}

export interface Standing {
  readonly status: CapabilityStatus;
  readonly consecutiveFailures: number;
}

/** How a capability stands after these runs, as if each had been counted when it ended. */
export function foldRuns(runs: readonly CountedRun[], start: Standing): Standing {
  const events = runs.flatMap(listEvents).sort((a, b) => a.atMs - b.atMs);
  return events.reduce((standing, { apply }) => apply(standing), start);
}

function listEvents({ success, clean, endedAtMs, rejectedAtMs }: CountedRun): Event[] {
  const ended = { atMs: endedAtMs, apply: success ? (now: Standing) => succeed(now, clean) : fail };
  // One that had failed failed no more for being called wrong.
  return success && rejectedAtMs !== undefined ? [ended, { atMs: rejectedAtMs, apply: fail }] : [ended];
}

interface Event {
  atMs: number;
  apply: (standing: Standing) => Standing;
}

function succeed({ status }: Standing, clean: boolean): Standing {
  return { status: clean ? "active" : status, consecutiveFailures: 0 };
}

function fail({ status, consecutiveFailures }: Standing): Standing {
  const failures = consecutiveFailures + 1;
  return {
    status: status === "active" && failures >= DEGRADED_AFTER ? "degraded" : status,
    consecutiveFailures: failures,
  };
}
