import { setMaxListeners } from "node:events";

import { PmlError } from "../model/error.js";

/** The runs of this process that have begun and not ended: none of them twice at once, and none after the memory is closed. */
export class UnderWay {
  readonly #runs = new Map<string, Promise<unknown>>();
  readonly #closing = new AbortController();

  constructor() {
    // Every run listens to it.
    setMaxListeners(0, this.#closing.signal);
  }

  /** Aborts when the memory is closed. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  list(): string[] {
    return [...this.#runs.keys()];
  }

  /** Throws if the workflow is under way, or the memory closed. */
  async hold<Answer>(workflowId: string, work: () => Promise<Answer>): Promise<Answer> {
    if (this.closing.aborted) throw new PmlError("PML_CLOSED", "The memory is closed.");
    if (this.#runs.has(workflowId)) throw stillRunning(workflowId);
    const run = work();
    this.#runs.set(workflowId, run);
    try {
      return await run;
    } finally {
      this.#runs.delete(workflowId);
    }
  }

  /** Gives work a signal that aborts with the caller's, and when the memory is closed. */
  async untilClosed<Result>(
    given: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const ending = new AbortController();
    const end = (): void => ending.abort();
    const sources = [this.closing, ...(given === undefined ? [] : [given])];
    for (const source of sources) source.addEventListener("abort", end, { once: true });
    if (sources.some(({ aborted }) => aborted)) end();
    try {
      return await work(ending.signal);
    } finally {
      // By hand: a signal made of others would be kept by them for as long as the memory is open.
      for (const source of sources) source.removeEventListener("abort", end);
    }
  }

  /** Cuts off what runs, and waits until that has been written down. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled(this.#runs.values());
  }
}

export function stillRunning(workflowId: string): PmlError {
  return new PmlError(
    "PML_CONFLICT",
    `The workflow ${workflowId} is under way, here or in another process. Wait for its answer.`,
    {
      details: { workflowId },
    },
  );
}
