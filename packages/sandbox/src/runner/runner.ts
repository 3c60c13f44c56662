import type { Fault } from "../error.js";
import type { Limits } from "../limits.js";
import type { Outcomes } from "../outcomes.js";
import type { ClockReading, Recording } from "../recording.js";
import type { EncodedValue } from "../wire/encode-value.js";
import type { GuestEvent, Origin } from "../wire/messages.js";

/**
 * Where code runs. The sandbox decides what a run may do; a runner makes sure it can do nothing else, and comes back
 * within its limits whatever the code is. `runnerContract` in `@pml/sandbox/testing` says what that means.
 */
export interface Runner {
  /** Runs a program to its end. Never rejects: what goes wrong is part of the outcome. */
  run(program: Program, powers: Powers): Promise<Outcome>;
  /** Ends whatever still runs, and gives everything back. */
  close(): Promise<void>;
}

/** All of a run that is data. */
export interface Program {
  code: string;
  capabilities: readonly Capability[];
  context: EncodedValue;
  limits: Limits;
  /** Whether the code may know the time, and have random numbers. */
  clock: boolean;
  random: boolean;
  /** The random numbers follow from its seed; its clock readings come before the real ones. */
  recording: Recording;
  /** Which way decisions go that are not left to the code. */
  outcomes?: Outcomes;
}

/** Code that other code can call by name, with arguments over its defaults. */
export interface Capability {
  name: string;
  code: string;
  /** JSON. */
  defaults?: Record<string, unknown>;
}

/** All that a run can reach outside. */
export interface Powers {
  signal: AbortSignal;
  call(call: GuestCall): Promise<Reply>;
  /** Called for each event, in order, with arguments, result or data where it has them. A fault ends the run. */
  observe(observation: Observation): Fault | undefined;
}

export interface GuestCall {
  /** Rises from call to call. */
  id: number;
  /** The capability call it was made in, 0 for the run's own code. */
  scope: number;
  tool: string;
  args: unknown;
  origin: Origin;
  /** Milliseconds, on the host's clock. */
  at: number;
  /** What the code read from the clock since its last call. */
  clock: readonly ClockReading[];
}

/** `fatal` ends the run; any other fault is thrown in the code, which may catch it. */
export type Reply = { ok: true; value: EncodedValue } | { ok: false; fault: Fault; fatal?: boolean };

export interface Observation {
  event: GuestEvent;
  scope: number;
  value: unknown;
  origin: Origin;
  at: number;
}

export type Outcome = { clock: ClockReading[]; droppedEvents: number } & (
  | { ok: true; value: unknown }
  | { ok: false; fault: Fault }
);
