import type { ClockReading } from "@pml/sandbox";

import { isOmitted, keepValue } from "../model/kept-value.js";
import type { StoreContext } from "../store/context.js";
import { listSteps, putSteps } from "../store/workflows.js";
import type { RedactCall } from "./run-redaction.js";

/** What is kept of a call while its run has not ended. */
export type StepState = {
  tool: string;
  /** Which call of the run it was. */ order: number;
  clock?: readonly ClockReading[];
} & (
  | { status: "started" }
  | { status: "done"; result?: unknown }
  /** Ended, but what it gave was not kept: it holds secrets, or is too large. */
  | { status: "withheld" }
);

export interface JournalCall {
  tool: string;
  order: number;
  clock: readonly ClockReading[];
}

const MOST_BYTES = 8_000_000;

/**
 * What a run has done so far, on disk, so that one that was cut off goes on where it was. Keys are places in the code:
 * the same call of the same turn has the same key when the run is taken up again.
 */
export class Journal {
  readonly #context: StoreContext;
  readonly #workflowId: string;
  readonly #redactCall: RedactCall;
  readonly #steps = new Map<string, StepState>();
  readonly #ended = new Map<string, StepState>();
  #writing: Promise<void> | undefined;
  #failure: unknown;

  constructor(context: StoreContext, workflowId: string, redactCall: RedactCall) {
    this.#context = context;
    this.#workflowId = workflowId;
    this.#redactCall = redactCall;
  }

  /** Reads what an earlier process left. */
  async load(): Promise<void> {
    for (const { key, state } of await listSteps(this.#context, this.#workflowId))
      this.#steps.set(key, state as StepState);
  }

  find(key: string): StepState | undefined {
    return this.#steps.get(key);
  }

  /** Calls that were under way when the run was cut off, or whose results were not kept. */
  listOpen(): { key: string; tool: string; status: "started" | "withheld" }[] {
    return [...this.#steps].flatMap(([key, { tool, status }]) => (status === "done" ? [] : [{ key, tool, status }]));
  }

  /** What the code had read from the clock, call by call. */
  listClock(): ClockReading[] {
    const steps = [...this.#steps.values()].sort((a, b) => a.order - b.order);
    return steps.flatMap(({ clock }) => [...(clock ?? [])]);
  }

  /** On disk before the call is made: should the host die during it, nobody repeats it unasked. */
  async begin(key: string, call: JournalCall): Promise<void> {
    const state: StepState = { status: "started", ...describe(call) };
    await putSteps(this.#context, this.#workflowId, [{ key, state }]);
  }

  /** Written behind the run: a call whose end was lost counts as under way, which is true or careful. */
  end(key: string, call: JournalCall, result: unknown): void {
    const clean = this.#redactCall(call.tool, "output", result) === result;
    const kept = clean ? keepValue(result, MOST_BYTES) : { $omitted: "secret" };
    const state: StepState = isOmitted(kept)
      ? { status: "withheld", ...describe(call) }
      : { status: "done", ...describe(call), ...(kept !== undefined && { result: kept }) };
    this.#ended.set(key, state);
    this.#writing ??= this.#write();
  }

  /** Waits until everything is on disk, or cannot get there: a run need not fail for that. */
  async checkpoint(): Promise<void> {
    await this.#writing;
  }

  /** Waits until everything is on disk; throws what kept it from getting there. */
  async flush(): Promise<void> {
    await this.#writing;
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** The run has ended, and its trace says what its calls gave: what was not yet begun to be written need not be. */
  async close(): Promise<void> {
    this.#ended.clear();
    await this.#writing;
  }

  /** What ended while one write was under way is the next one. */
  async #write(): Promise<void> {
    // A moment later, so that calls that end together are written together.
    await Promise.resolve();
    while (this.#ended.size > 0) {
      const steps = [...this.#ended].map(([key, state]) => ({ key, state }));
      this.#ended.clear();
      await putSteps(this.#context, this.#workflowId, steps).catch((error: unknown) => {
        this.#failure ??= error;
      });
    }
    this.#writing = undefined;
  }
}

function describe({ tool, order, clock }: JournalCall): Pick<StepState, "tool" | "order" | "clock"> {
  return { tool, order, ...(clock.length > 0 && { clock }) };
}
