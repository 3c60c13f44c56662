/** As `harness.ts`, for work that is asynchronous: one sample of each candidate a round, medians and ratios. */
export interface AsyncComparison {
  title: string;
  /** The first is what the others are compared with. */
  candidates: Record<string, () => Promise<unknown>>;
  rounds?: number;
  warmUpMs?: number;
  /** The work does this many things: they are shown as a rate. */
  perSecond?: number;
  goals?: { name: string; than: string; atMost: number }[];
}

const DEFAULTS = { rounds: 40, warmUpMs: 500 };
const SAMPLE_MS = 3;

/** Gives the medians in milliseconds, by name. */
export async function compareAsync(comparison: AsyncComparison): Promise<Map<string, number>> {
  const { rounds, warmUpMs } = { ...DEFAULTS, ...comparison };
  const samples = new Map<string, number[]>();
  const calls = new Map<string, number>();
  for (const [name, work] of Object.entries(comparison.candidates)) calls.set(name, await warmUp(work, warmUpMs));
  for (let round = 0; round < rounds; round++)
    for (const [name, work] of Object.entries(comparison.candidates)) {
      const sample = await time(work, calls.get(name) ?? 1);
      samples.set(name, [...(samples.get(name) ?? []), sample]);
    }
  const medians = new Map([...samples].map(([name, times]) => [name, median(times)]));
  printFacts(comparison.title, describe(comparison, medians));
  return medians;
}

/** Rows of a name and what there is to say of it. */
export function printFacts(title: string, rows: string[][]): void {
  const widths = rows.reduce<number[]>(
    (widest, row) => row.map((cell, column) => Math.max(widest[column] ?? 0, cell.length)),
    [],
  );
  console.log(title);
  for (const row of rows)
    console.log(
      `  ${row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("   ")
        .trimEnd()}`,
    );
  console.log();
}

/** How often the work fits into a sample, after it has been done for a while. */
async function warmUp(work: () => Promise<unknown>, warmUpMs: number): Promise<number> {
  const started = performance.now();
  let count = 0;
  do {
    await work();
    count++;
  } while (performance.now() - started < warmUpMs);
  const perCall = (performance.now() - started) / count;
  return Math.max(1, Math.round(SAMPLE_MS / perCall));
}

async function time(work: () => Promise<unknown>, count: number): Promise<number> {
  const started = performance.now();
  for (let call = 0; call < count; call++) await work();
  return (performance.now() - started) / count;
}

function describe({ goals = [], perSecond }: AsyncComparison, medians: Map<string, number>): string[][] {
  const [baseline = Number.NaN] = medians.values();
  return [...medians].map(([name, ms]) => {
    const rate = perSecond === undefined ? [] : [`${Math.round(perSecond / (ms / 1000)).toLocaleString("en")} /s`];
    const verdicts = goals.filter((goal) => goal.name === name).map((goal) => judge(goal, ms, medians));
    return [name, `${ms.toFixed(3)} ms`, ...rate, `${(ms / baseline).toFixed(2)}×`, verdicts.join(", ")];
  });
}

function judge(goal: { than: string; atMost: number }, ms: number, medians: Map<string, number>): string {
  const ratio = ms / (medians.get(goal.than) ?? Number.NaN);
  const verdict = Number.isNaN(ratio) ? "not measured" : ratio <= goal.atMost ? "met" : "MISSED";
  return `${ratio.toFixed(2)} of ${goal.than} (goal ≤ ${goal.atMost} ${verdict})`;
}

function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
