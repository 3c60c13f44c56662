import { AsyncLocalStorage } from "node:async_hooks";

import { PmlError } from "../../model/error.js";

/** Lets one piece of work through at a time, in the order they came. */
export class Turnstile {
  #last: Promise<unknown> = Promise.resolve();
  readonly #inside = new AsyncLocalStorage<{ isOver: boolean }>();

  /** Work that waits for its own turn would wait for ever: it is refused instead. */
  async pass<T>(work: () => Promise<T>): Promise<T> {
    if (this.#inside.getStore()?.isOver === false)
      throw new PmlError("PML_NESTED_TRANSACTION", "Inside a transaction, ask the transaction, not the database.");
    const place = { isOver: false };
    // What the work set going may come back when the work is long done, and wait like anyone else.
    const turn = this.#last.then(() => this.#inside.run(place, work)).finally(() => (place.isOver = true));
    this.#last = turn.catch(() => {});
    return turn;
  }
}
