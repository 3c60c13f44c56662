import type { Calibration, CalibrationBin } from "./evaluation.js";
import { average, meanOf, shareWhere } from "./share.js";

/** How sure the memory was, and whether it was right. */
export interface Scored {
  score: number;
  right: boolean;
}

const BINS = 10;
/** Distances in bins add up whichever way they point: with few scores they are mostly chance. */
const LEAST_FOR_ERROR = 30;

export async function calibrate(scored: readonly Scored[]): Promise<Calibration> {
  const of = scored.length;
  const bins = listBins(scored);
  return {
    of,
    brier: await meanOf(scored.map(({ score, right }) => (score - (right ? 1 : 0)) ** 2)),
    error: of < LEAST_FOR_ERROR ? undefined : bins.reduce((sum, bin) => sum + (bin.right.of / of) * distance(bin), 0),
    bins,
  };
}

function listBins(scored: readonly Scored[]): CalibrationBin[] {
  const bins = Array.from({ length: BINS }, (): Scored[] => []);
  for (const each of scored) bins[Math.min(BINS - 1, Math.floor(each.score * BINS))]?.push(each);
  return bins.flatMap((inside, at) => {
    if (inside.length === 0) return [];
    const score = average(inside.map((each) => each.score));
    return [{ from: at / BINS, to: (at + 1) / BINS, score, right: shareWhere(inside, ({ right }) => right) }];
  });
}

function distance({ score, right: { count, of } }: CalibrationBin): number {
  return Math.abs(score - count / of);
}
