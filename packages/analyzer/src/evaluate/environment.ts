import type { Binding } from "../parse/scope.js";
import { either, UNKNOWN, type Value } from "./values.js";

interface Change {
  readonly binding: Binding;
  readonly before: Value | undefined;
}

/**
 * What each name stands for at the point the evaluation has reached. Changes are logged, so that a branch can be
 * undone and merged at the cost of what it changed, not of everything there is.
 */
export class Environment {
  readonly #values = new Map<Binding, Value>();
  readonly #log: Change[] = [];
  /** Outside of all branches nothing will be undone, so nothing is kept. */
  #depth = 0;

  get(binding: Binding): Value | undefined {
    return this.#values.get(binding);
  }

  set(binding: Binding, value: Value): void {
    if (this.#depth > 0) this.#log.push({ binding, before: this.#values.get(binding) });
    this.#values.set(binding, value);
  }

  /** Runs each branch from the same start; afterwards a name stands for whatever any branch left in it. */
  branch(branches: readonly (() => boolean)[]): void {
    const outcomes: Map<Binding, Value>[] = [];
    for (const run of branches) {
      const mark = this.#log.length;
      this.#depth++;
      const goesOn = run();
      this.#depth--;
      const changes = this.#undo(mark);
      if (goesOn) outcomes.push(changes);
    }
    if (outcomes.every((changes) => changes.size === 0)) return;
    const changed = new Set(outcomes.flatMap((changes) => [...changes.keys()]));
    for (const binding of changed) {
      const before = this.#values.get(binding) ?? UNKNOWN;
      this.set(binding, either(outcomes.map((changes) => changes.get(binding) ?? before)));
    }
  }

  /** Takes back what `body` changed if it says that it came to nothing. */
  attempt(body: () => boolean): boolean {
    const mark = this.#log.length;
    this.#depth++;
    const isKept = body();
    this.#depth--;
    if (!isKept) this.#undo(mark);
    else if (this.#depth === 0) this.#log.length = mark;
    return isKept;
  }

  #undo(mark: number): Map<Binding, Value> {
    const changes = new Map<Binding, Value>();
    for (let i = this.#log.length - 1; i >= mark; i--) {
      const { binding, before } = this.#log[i] as Change;
      if (!changes.has(binding)) changes.set(binding, this.#values.get(binding) as Value);
      if (before === undefined) this.#values.delete(binding);
      else this.#values.set(binding, before);
    }
    this.#log.length = mark;
    return changes;
  }
}
