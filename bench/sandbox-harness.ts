/** As `harness.ts`, for work that is asynchronous: one sample of each candidate a round. */
export interface AsyncComparison {
  title: string;
  /** The first is what the others are compared with. */
  candidates: Record<string, () => Promise<unknown>>;
  rounds?: number;
  warmUpMs?: number;
  /** How often the work is done in a sample, one right after the other. As often as fits into 3 ms if it is left out. */
  inARow?: number;
  /** The work does this many things: they are shown as a rate. */
  perSecond?: number;
  goals?: { name: string; than: string; atMost: number }[];
}

/** Of one candidate, in milliseconds: a quarter of the rounds took this long or less, and half of them. */
interface Times {
  quarter: number;
  median: number;
}

const DEFAULTS = { rounds: 40, warmUpMs: 500 };
const SAMPLE_MS = 3;

/**
 * Ratios and goals go by the quarter of rounds that was disturbed least: whatever else a machine does, it does to work in
 * two processes twice. The medians stand beside it, and are what it gives, in milliseconds by name.
 */
export async function compareAsync(comparison: AsyncComparison): Promise<Map<string, number>> {
  const { rounds, warmUpMs } = { ...DEFAULTS, ...comparison };
  const prepared = await prepare(comparison, warmUpMs);
  for (let round = 0; round < rounds; round++) for (const { sample, samples } of prepared) samples.push(await sample());
  const times = new Map(prepared.map(({ name, samples }) => [name, summarise(samples)]));
  printFacts(comparison.title, describe(comparison, times));
  return new Map([...times].map(([name, { median: middle }]) => [name, middle]));
}

export interface Growth {
  title: string;
  /** What each candidate does at one size. */
  work: Record<string, (size: number) => Promise<unknown>>;
  sizes: readonly number[];
  rounds?: number;
}

/** How the time of each candidate grows with the size of its work: the quarter disturbed least, a column for each size. */
export async function compareGrowth({ title, work, sizes, rounds = 25 }: Growth): Promise<void> {
  const rows: string[][] = [["", ...sizes.map((size) => size.toLocaleString("en"))]];
  const cells = new Map(Object.keys(work).map((name) => [name, [] as string[]]));
  for (const size of sizes) {
    const candidates = Object.entries(work).map(([name, run]) => [name, () => run(size)] as const);
    const prepared = await prepare({ title, candidates: Object.fromEntries(candidates) }, 100);
    for (let round = 0; round < rounds; round++)
      for (const { sample, samples } of prepared) samples.push(await sample());
    for (const { name, samples } of prepared) cells.get(name)?.push(formatMs(summarise(samples).quarter));
  }
  for (const [name, row] of cells) rows.push([name, ...row]);
  printFacts(title, rows);
}

/** Rows of a name and what there is to say of it. */
export function printFacts(title: string, rows: string[][]): void {
  const columns = Math.max(...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("   "));
  console.log([title, ...lines.map((line) => `  ${line.trimEnd()}`), ""].join("\n"));
}

interface Prepared {
  name: string;
  sample: () => Promise<number>;
  samples: number[];
}

async function prepare({ candidates, inARow }: AsyncComparison, warmUpMs: number): Promise<Prepared[]> {
  const prepared: Prepared[] = [];
  for (const [name, work] of Object.entries(candidates)) {
    const fitting = await warmUp(work, warmUpMs);
    prepared.push({ name, sample: () => time(work, inARow ?? fitting), samples: [] });
  }
  return prepared;
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

function describe({ goals = [], perSecond }: AsyncComparison, times: Map<string, Times>): string[][] {
  const [baseline] = times.values();
  const rows = [...times].map(([name, { quarter, median }]) => {
    const rate = perSecond === undefined ? [] : [`${Math.round((perSecond / quarter) * 1000).toLocaleString("en")} /s`];
    const ratio = `${(quarter / (baseline?.quarter ?? Number.NaN)).toFixed(2)}×`;
    const verdicts = goals.filter((goal) => goal.name === name).map((goal) => judge(goal, times));
    return [name, formatMs(quarter), formatMs(median), ...rate, ratio, verdicts.join(", ")];
  });
  return [["", "quarter", "median"], ...rows];
}

function judge(
  { name, than, atMost }: { name: string; than: string; atMost: number },
  times: Map<string, Times>,
): string {
  const ratio = (times.get(name)?.quarter ?? Number.NaN) / (times.get(than)?.quarter ?? Number.NaN);
  const verdict = Number.isNaN(ratio) ? "not measured" : ratio <= atMost ? "met" : "MISSED";
  return `${ratio.toFixed(2)} of ${than} (goal ≤ ${atMost} ${verdict})`;
}

function summarise(samples: readonly number[]): Times {
  const sorted = [...samples].sort((a, b) => a - b);
  const at = (part: number): number => sorted[Math.floor(sorted.length * part)] ?? Number.NaN;
  return { quarter: at(0.25), median: at(0.5) };
}

function formatMs(ms: number): string {
  return `${ms.toFixed(3)} ms`;
}
