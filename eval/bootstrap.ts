const ROUNDS = 1000;

/** The same numbers for the same seed (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A measure over tasks and its 95 % interval, by drawing tasks with replacement: `61.2 [57.0, 65.1]`. */
export function withInterval<Row>(rows: readonly Row[], measure: (rows: readonly Row[]) => number): string {
  const random = createRandom(1);
  const draw = (): Row => rows[Math.floor(random() * rows.length)] as Row;
  const values = Array.from({ length: ROUNDS }, () => measure(rows.map(draw))).sort((a, b) => a - b);
  const [low, high] = [0.025, 0.975].map((share) => values[Math.floor(share * ROUNDS)] ?? Number.NaN);
  return `${percent(measure(rows))} [${percent(low)}, ${percent(high)}]`;
}

function percent(value = Number.NaN): string {
  return (100 * value).toFixed(1);
}

export interface Tally {
  readonly found: number;
  readonly expected: number;
  readonly correct: number;
}

/** Over all tasks together, not the mean of tasks. */
export function microF1(rows: readonly Tally[]): number {
  const sum = (key: keyof Tally): number => rows.reduce((total, row) => total + row[key], 0);
  return (2 * sum("correct")) / (sum("found") + sum("expected") || 1);
}
