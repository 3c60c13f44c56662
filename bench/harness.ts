export interface Comparison {
  title: string;
  /** What each candidate does once. The first is what the others are compared with. */
  candidates: Record<string, () => unknown>;
  /** The most a candidate may take, as a multiple of the first. */
  goals?: Record<string, number>;
  /** Divides each candidate's time, for work of different sizes: lines, say. */
  units?: Record<string, number>;
  rounds?: number;
}

const DEFAULT_ROUNDS = 60;
const WARM_UP_MS = 1500;
const SAMPLE_MS = 3;

/** Times the candidates in turn, one sample of each a round, and prints medians and ratios. */
export function compare(comparison: Comparison): void {
  const { candidates, rounds = DEFAULT_ROUNDS, units = {} } = comparison;
  const prepared = Object.entries(candidates).map(([name, work]) => ({
    name,
    sample: createSampler(work),
    samplesMs: [] as number[],
  }));
  for (let round = 0; round < rounds; round++) for (const { sample, samplesMs } of prepared) samplesMs.push(sample());
  const medians = prepared.map(({ name, samplesMs }) => ({ name, ms: median(samplesMs) / (units[name] ?? 1) }));
  printTable(comparison.title, describe(medians, comparison.goals ?? {}));
}

/** Warms the work up, then returns a function that times it once, over enough calls to be measurable. */
function createSampler(work: () => unknown): () => number {
  const started = performance.now();
  let calls = 0;
  do {
    work();
    calls++;
  } while (performance.now() - started < WARM_UP_MS);
  const callsPerSample = Math.max(1, Math.round((calls / WARM_UP_MS) * SAMPLE_MS));
  return () => {
    const start = performance.now();
    for (let call = 0; call < callsPerSample; call++) work();
    return (performance.now() - start) / callsPerSample;
  };
}

function describe(medians: { name: string; ms: number }[], goals: Record<string, number>): string[][] {
  const baseline = medians[0]?.ms ?? Number.NaN;
  const rows = medians.map(({ name, ms }) => {
    const ratio = ms / baseline;
    const goal = goals[name];
    const verdict = goal === undefined ? "" : `goal ≤ ${goal}× ${ratio <= goal ? "met" : "MISSED"}`;
    return [name, formatTime(ms), `${ratio.toFixed(2)}×`, verdict];
  });
  return [["", "median", "ratio", ""], ...rows];
}

function printTable(title: string, rows: string[][]): void {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  console.log(title);
  for (const [name = "", ...numbers] of rows) {
    const cells = numbers.map((cell, column) => cell.padStart(widths[column + 1] ?? 0));
    console.log(`  ${[name.padEnd(widths[0] ?? 0), ...cells].join("   ").trimEnd()}`);
  }
  console.log();
}

function formatTime(ms: number): string {
  return ms < 1 ? `${(ms * 1000).toFixed(1)} µs` : `${ms.toFixed(2)} ms`;
}

function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
