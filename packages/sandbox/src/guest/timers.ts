import { clearTimeout, setTimeout } from "node:timers";

import type { Session } from "./session.js";

type Callback = (...values: unknown[]) => unknown;

export interface TimerOptions {
  session: Session;
  /** What a callback threw. */
  onError: (error: unknown) => void;
  /** Called after each callback. */
  onTurn: () => void;
}

/** Timers that end with their run. */
export class Timers {
  readonly #options: TimerOptions;
  readonly #running = new Map<number, ReturnType<typeof setTimeout>>();
  #lastId = 0;

  constructor(options: TimerOptions) {
    this.#options = options;
  }

  get pending(): number {
    return this.#running.size;
  }

  clearAll(): void {
    for (const id of this.#running.keys()) this.clear(id);
  }

  start(timer: { callback: unknown; delay: unknown; values: unknown[]; repeat: boolean }): number {
    if (typeof timer.callback !== "function") throw new TypeError("A timer needs a function to call.");
    const { callback, values, repeat } = timer as { callback: Callback; values: unknown[]; repeat: boolean };
    const delayMs = Number(timer.delay ?? 0);
    const id = ++this.#lastId;
    const schedule = (): void => {
      this.#running.set(id, setTimeout(fire, delayMs));
    };
    const fire = (): void => {
      if (repeat) schedule();
      else this.#running.delete(id);
      this.#call(callback, values);
    };
    if (!this.#options.session.ended) schedule();
    return id;
  }

  #call(callback: Callback, values: unknown[]): void {
    try {
      callback(...values);
    } catch (error) {
      this.#options.onError(error);
    }
    this.#options.onTurn();
  }

  clear(id: unknown): void {
    clearTimeout(this.#running.get(id as number));
    this.#running.delete(id as number);
  }
}
