const BITS = 32;

/** Who waits for whom, directly or not. Tasks are numbered in order, and wait only for earlier ones. */
export class Ancestry {
  readonly #ancestors: Uint32Array[] = [];

  /** A new task that waits for `parents`. */
  add(parents: Iterable<number>): number {
    const number = this.#ancestors.length;
    const all = new Uint32Array(Math.ceil((number + 1) / BITS));
    for (const parent of parents) {
      this.#merge(all, parent);
      mark(all, parent);
    }
    this.#ancestors.push(all);
    return number;
  }

  /** Those that are not waited for anyway by whoever waits for `others`. */
  without(tasks: Iterable<number>, others: ReadonlySet<number>): number[] {
    let last = -1;
    for (const other of others) last = Math.max(last, other);
    const implied = new Uint32Array(Math.ceil((last + 1) / BITS));
    for (const other of others) this.#merge(implied, other);
    return [...tasks].filter((task) => !isMarked(implied, task));
  }

  #merge(into: Uint32Array, task: number): void {
    this.#ancestors[task]?.forEach((word, at) => (into[at] = (into[at] ?? 0) | word));
  }
}

function mark(bits: Uint32Array, number: number): void {
  const at = Math.floor(number / BITS);
  bits[at] = (bits[at] ?? 0) | (1 << (number % BITS));
}

function isMarked(bits: Uint32Array, number: number): boolean {
  return ((bits[Math.floor(number / BITS)] ?? 0) & (1 << (number % BITS))) !== 0;
}
