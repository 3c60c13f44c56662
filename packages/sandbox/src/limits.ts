import { invalidOptions } from "./error.js";

/** What one run may use. Reaching any of them ends the run with a code of its own; code cannot catch that. */
export interface Limits {
  /** Wall-clock time from the first line to the result: `SANDBOX_TIMEOUT`. */
  timeoutMs: number;
  /** Heap of the child: `SANDBOX_MEMORY`. */
  memoryMb: number;
  /** Tool calls in all: `SANDBOX_TOOL_CALLS`. */
  maxToolCalls: number;
  /** Tool calls waiting for an answer at the same time: `SANDBOX_CONCURRENT_TOOL_CALLS`. */
  maxConcurrentToolCalls: number;
  /** Arguments of one call, and the context of the run: `SANDBOX_ARGUMENTS_TOO_LARGE`. */
  maxArgumentBytes: number;
  /** Result of one tool, one capability, or the run: `SANDBOX_RESULT_TOO_LARGE`. */
  maxResultBytes: number;
  /** Lines logged and progress reported: `SANDBOX_LOG_LINES`. */
  maxLogLines: number;
  /** Everything tools answer, added up: `SANDBOX_INPUT_TOO_LARGE`. The host holds it until its events are read. */
  maxInputBytes: number;
  /** Everything the code sends to the host, added up: `SANDBOX_OUTPUT_TOO_LARGE`. */
  maxOutputBytes: number;
  /** Capabilities inside capabilities: `SANDBOX_CAPABILITY_DEPTH`. */
  maxCapabilityDepth: number;
  /** Decisions, pure operations and capabilities reported; the rest is dropped and counted, and the run goes on. */
  maxTraceEvents: number;
}

export const DEFAULT_LIMITS: Readonly<Limits> = Object.freeze({
  timeoutMs: 30_000,
  memoryMb: 128,
  maxToolCalls: 1000,
  maxConcurrentToolCalls: 100,
  maxArgumentBytes: 1024 * 1024,
  maxResultBytes: 8 * 1024 * 1024,
  maxLogLines: 1000,
  maxInputBytes: 256 * 1024 * 1024,
  maxOutputBytes: 64 * 1024 * 1024,
  maxCapabilityDepth: 16,
  maxTraceEvents: 10_000,
});

/** V8 needs so many megabytes to start at all. */
const LEAST: Partial<Limits> = { memoryMb: 16 };
/** A timer that is to wait for longer fires at once; a heap that may be larger overflows V8's own numbers. */
const MOST: Partial<Limits> = { timeoutMs: 2 ** 31 - 1, memoryMb: 2 ** 24 };

/** Later ones win. */
export function resolveLimits(...given: (Partial<Limits> | undefined)[]): Limits {
  const limits: Limits = { ...DEFAULT_LIMITS };
  for (const [name, value] of given.flatMap((each) => Object.entries(each ?? {}))) {
    if (!Object.hasOwn(DEFAULT_LIMITS, name)) throw invalidOptions(`There is no limit "${name}".`, { limit: name });
    if (value !== undefined) limits[name as keyof Limits] = checkLimit(name as keyof Limits, value);
  }
  return limits;
}

function checkLimit(name: keyof Limits, value: unknown): number {
  const least = LEAST[name] ?? 1;
  const most = MOST[name] ?? Number.MAX_SAFE_INTEGER;
  if (Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most) return value as number;
  throw invalidOptions(`limits.${name} has to be a whole number from ${least} to ${most}.`, { limit: name });
}
