import { AsyncLocalStorage } from "node:async_hooks";

import { PmlError } from "../../model/error.js";

/** Lets one piece of work through at a time, in the order they came. */
export class Turnstile {
  #last: Promise<unknown> = Promise.resolve();
  readonly #inside = new AsyncLocalStorage<boolean>();

  /** Work that waits for its own turn would wait for ever: it is refused instead. */
  async pass<T>(work: () => Promise<T>): Promise<T> {
    if (this.#inside.getStore() === true)
      throw new PmlError("PML_NESTED_TRANSACTION", "Inside a transaction, ask the transaction, not the database.");
    const turn = this.#last.then(() => this.#inside.run(true, work));
    this.#last = turn.catch(() => {});
    return turn;
  }
}
