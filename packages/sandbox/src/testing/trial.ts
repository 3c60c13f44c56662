import { deepEqual } from "node:assert/strict";

import type { SandboxErrorCode } from "../error.js";
import { DEFAULT_LIMITS, type Limits } from "../limits.js";
import type { Capability, GuestCall, Observation, Outcome, Reply, Runner } from "../runner/runner.js";
import { encodeValue } from "../wire/encode-value.js";

/** A program, and what it is given; what is left out is empty. */
export interface TrialProgram {
  code: string;
  context?: Record<string, unknown>;
  capabilities?: Capability[];
  limits?: Partial<Limits>;
  clock?: boolean;
  call?: (call: GuestCall) => unknown;
  observe?: (observation: Observation) => void;
  signal?: AbortSignal;
}

/** A runner under test. */
export interface Trial {
  run(program: TrialProgram): Promise<Outcome>;
  /** Runs it, expects it to fail so, and expects a next run to work. */
  fail(program: TrialProgram, code: SandboxErrorCode): Promise<Outcome>;
  close(): Promise<void>;
}

export interface TrialCase {
  name: string;
  check(trial: Trial): Promise<void>;
}

const TRIAL_LIMITS: Limits = { ...DEFAULT_LIMITS, memoryMb: 64 };
const SEED = "0123456789abcdef0123456789abcdef";

export function createTrial(createRunner: (limits: Limits) => Runner): Trial {
  const runner = createRunner(TRIAL_LIMITS);
  return { run, fail, close: () => runner.close() };

  function run(program: TrialProgram): Promise<Outcome> {
    const { code, context = {}, capabilities = [], clock = true, signal = new AbortController().signal } = program;
    const limits = { ...TRIAL_LIMITS, ...program.limits };
    return runner.run(
      {
        code,
        context: encode(context),
        capabilities,
        limits,
        clock,
        random: clock,
        recording: { clock: [], randomSeed: SEED },
      },
      {
        signal,
        call: (call) => answer(call, program),
        observe(observation) {
          program.observe?.(observation);
          return undefined;
        },
      },
    );
  }

  async function fail(program: TrialProgram, code: SandboxErrorCode): Promise<Outcome> {
    const outcome = await run(program);
    deepEqual(outcome.ok ? { value: outcome.value } : outcome.fault.code, code);
    const next = await run({ code: "return args.one + 1", context: { one: 1 } });
    deepEqual(next.ok ? next.value : next.fault, 2, "the next run works");
    return outcome;
  }
}

async function answer(call: GuestCall, program: TrialProgram): Promise<Reply> {
  try {
    return { ok: true, value: encode(await program.call?.(call)) };
  } catch (error) {
    const { message } = error as Error;
    return { ok: false, fault: { code: "SANDBOX_TOOL_FAILED", message, details: { tool: call.tool } } };
  }
}

function encode(value: unknown): { text: string; tagged: boolean } {
  const encoding = encodeValue(value, TRIAL_LIMITS.maxResultBytes);
  if (!encoding.ok) throw new TypeError("The trial was given a value that cannot cross.");
  return encoding.value;
}
