/** What past runs say about the order of candidates, by their rows. Counts only, so that a run can be taken out again. */
export class PastOrder {
  readonly #before = new Map<number, Map<number, number>>();
  readonly #fed = new Map<number, Map<number, number>>();
  readonly #together = new Map<number, Map<number, number>>();
  readonly #used = new Map<number, number>();
  readonly #sources = new Map<number, number>();
  readonly #supplied = new Map<number, number>();

  /** `times` of -1 takes a run back. */
  observe({ rows, flows }: OrderedRun, times: number): void {
    const distinct = [...new Set(rows)];
    // A flow to or from a tool that the run did not use would make chances of more than 1.
    const real = flows.filter((flow) => flow.every((row) => distinct.includes(row)));
    for (const [at, earlier] of distinct.entries()) {
      for (const later of distinct.slice(at + 1)) {
        add(this.#before, [earlier, later], times);
        add(this.#together, [earlier, later], times);
        add(this.#together, [later, earlier], times);
      }
    }
    for (const flow of real) add(this.#fed, flow, times);
    for (const row of distinct) raise(this.#used, row, times);
    for (const row of new Set(real.map(([from]) => from))) raise(this.#sources, row, times);
    for (const row of new Set(real.map(([, to]) => to))) raise(this.#supplied, row, times);
  }

  /** The chance that the one comes before the other, where both are; 0.5 where that was never seen. */
  precede(earlier: number, later: number): number {
    const [first, second] = [read(this.#before, earlier, later), read(this.#before, later, earlier)];
    return (first + 0.5) / (first + second + 1);
  }

  /** The chance that the one feeds the other, where both are. */
  feed(from: number, to: number): number {
    return (read(this.#fed, from, to) + 0.2) / (read(this.#together, from, to) + 2);
  }

  /** The chance that it feeds anything. */
  isSource(row: number): number {
    return ((this.#sources.get(row) ?? 0) + 1) / ((this.#used.get(row) ?? 0) + 2);
  }

  /** The chance that anything feeds it. */
  isSupplied(row: number): number {
    return ((this.#supplied.get(row) ?? 0) + 1) / ((this.#used.get(row) ?? 0) + 2);
  }
}

export interface OrderedRun {
  /** In the order in which they were called. */
  readonly rows: readonly number[];
  readonly flows: readonly (readonly [from: number, to: number])[];
}

type Counts = Map<number, Map<number, number>>;

function add(counts: Counts, [from, to]: readonly [number, number], times: number): void {
  const row = counts.get(from) ?? new Map<number, number>();
  row.set(to, (row.get(to) ?? 0) + times);
  counts.set(from, row);
}

function raise(counts: Map<number, number>, row: number, times: number): void {
  counts.set(row, (counts.get(row) ?? 0) + times);
}

function read(counts: Counts, from: number, to: number): number {
  return counts.get(from)?.get(to) ?? 0;
}
