import type { ClockReading, Tool as SandboxTool } from "@pml/sandbox";

import { PmlError } from "../model/error.js";
import { reviveValue } from "../model/kept-value.js";
import { isRepeatable, type Tool } from "../model/tool.js";
import type { Journal } from "./journal.js";
import type { ToolBox } from "./tool-box.js";

/** Where in a run a call is made. */
export interface CallSite {
  /** The same for the same call when the run is taken up again. */
  path: string;
  clock: readonly ClockReading[];
  signal: AbortSignal;
  /** The call's own, as its events name it. */
  traceId?: string | undefined;
}

/** A call as it was asked for. */
export interface AskedCall {
  tool: Tool;
  args: Record<string, unknown>;
  path: string;
  callId: string | undefined;
  signal: AbortSignal;
}

/** Answers calls, by making them or because they were made already. */
export interface AnswerCall {
  answer(call: AskedCall, make: () => Promise<unknown>): Promise<unknown>;
}

export interface DoorOptions {
  box: ToolBox;
  /** Absent where nothing is to be kept: in a dry run. */
  journal?: Journal;
  /** How often a call that failed is made again, if its tool says that this does no harm. */
  retries?: number;
  /** Put around each call, with all its attempts. */
  around?: AroundCall;
  /** Knows of calls that were begun ahead of time. */
  early?: AnswerCall;
}

export type AroundCall = <T>(tool: string, args: unknown, call: () => Promise<T>) => Promise<T>;

const DEFAULT_TIMEOUT_MS = 60_000;
const FIRST_PAUSE_MS = 50;

/** The one way from a run to a tool: checked input, nothing done twice, an end in finite time. */
export class ToolDoor {
  readonly #options: DoorOptions;
  readonly #visits = new Map<string, number>();
  #calls = 0;

  constructor(options: DoorOptions) {
    this.#options = options;
  }

  /** The tools as the sandbox calls them. */
  listForSandbox(): SandboxTool[] {
    return this.#options.box.list().map(({ id, annotations }) => ({
      id,
      ...(annotations !== undefined && { annotations }),
      call: (args, site) => this.call(id, args, site),
    }));
  }

  async call(id: string, args: unknown, site: CallSite): Promise<unknown> {
    const { box, journal } = this.#options;
    const key = this.#keyOf(site.path);
    const step = journal?.find(key);
    if (step?.status === "done") return reviveValue(step.result);
    const problem = box.findProblem(id, args ?? {});
    if (problem !== undefined) throw problem;
    const tool = box.get(id);
    const call = { tool: id, order: this.#calls++, clock: site.clock };
    if (!isRepeatable(tool) || site.clock.length > 0) await journal?.begin(key, call);
    const answer = (): Promise<unknown> => this.#answer(tool, (args ?? {}) as Record<string, unknown>, site);
    const result = await (this.#options.around?.(id, args, answer) ?? answer());
    journal?.end(key, call, result);
    return result;
  }

  /** Code without nodes has no places; there, the order of calls tells them apart. */
  #keyOf(path: string): string {
    const visits = this.#visits.get(path) ?? 0;
    this.#visits.set(path, visits + 1);
    return visits === 0 ? path : `${path}~${visits}`;
  }

  #answer(tool: Tool, args: Record<string, unknown>, { path, traceId: callId, signal }: CallSite): Promise<unknown> {
    const make = (): Promise<unknown> => this.#attempt(tool, args, signal);
    return this.#options.early?.answer({ tool, args, path, callId, signal }, make) ?? make();
  }

  async #attempt(tool: Tool, args: Record<string, unknown>, signal: AbortSignal): Promise<unknown> {
    const retries = isRepeatable(tool) ? (this.#options.retries ?? 0) : 0;
    for (let attempt = 0; ; attempt++) {
      try {
        return await callInTime(tool, args, signal);
      } catch (error) {
        if (attempt >= retries || signal.aborted || isInvalid(error)) throw error;
        await pause(FIRST_PAUSE_MS * 2 ** attempt, signal);
      }
    }
  }
}

/** Refused for what it is: the same again is refused again. */
function isInvalid(error: unknown): boolean {
  return error instanceof PmlError && error.code === "PML_INVALID_ARGUMENTS";
}

/** A tool need not heed its signal: the run does not wait for it any longer than this. */
export async function callInTime(tool: Tool, args: Record<string, unknown>, signal: AbortSignal): Promise<unknown> {
  const timeoutMs = tool.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const ending = new AbortController();
  const onAbort = (): void => ending.abort(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  const timer = setTimeout(() => ending.abort(tookTooLong(tool.id, timeoutMs)), timeoutMs);
  try {
    return await Promise.race([tool.execute(args, { signal: ending.signal }), rejectOnAbort(ending.signal)]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });
}

function tookTooLong(id: string, timeoutMs: number): PmlError {
  const message = `The tool ${id} did not answer within ${timeoutMs} ms. Give it a larger timeoutMs, or less to do.`;
  return new PmlError("PML_TOOL_TIMEOUT", message, { details: { tool: id, timeoutMs } });
}
