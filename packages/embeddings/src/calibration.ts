import { EmbeddingsError } from "./error.js";
import { fitIsotonic, type Step } from "./isotonic.js";

/** What a cosine of two vectors of one embedder means. */
export interface Calibration {
  /** `[cosine, probability]`, both rising; between two knots the line that joins them. */
  knots: readonly (readonly [number, number])[];
  /** The share of pairs that meant the same among those it was fitted on: probabilities hold for that share. */
  prior: number;
  /** How it was made. */
  source: string;
}

/** Two texts: how alike their vectors are, and whether they mean the same request. */
export interface LabelledPair {
  cosine: number;
  same: boolean;
}

const MAX_KNOTS = 12;

/** The probability that two texts whose vectors have this cosine mean the same request. Never falls as cosine rises. */
export function calibrate({ knots }: Calibration, cosine: number): number {
  const first = knots[0];
  const last = knots.at(-1);
  if (first === undefined || last === undefined || Number.isNaN(cosine)) return 0;
  if (cosine <= first[0]) return first[1];
  if (cosine >= last[0]) return last[1];
  const above = knots.findIndex(([at]) => at >= cosine);
  const [x1, y1] = knots[above] ?? last;
  const [x0, y0] = knots[above - 1] ?? first;
  return y0 + ((y1 - y0) * (cosine - x0)) / (x1 - x0);
}

/** Isotonic regression, smoothed to a few knots so that it says nothing the pairs do not carry. */
export function fitCalibration(pairs: readonly LabelledPair[], source = "fitted by the host"): Calibration {
  checkPairs(pairs);
  const steps = fitIsotonic(pairs.map(({ cosine, same }) => ({ at: cosine, value: same ? 1 : 0 })));
  const same = pairs.filter((pair) => pair.same).length;
  return { knots: reduce(steps, pairs.length), prior: same / pairs.length, source };
}

/**
 * Neighbouring steps are joined until few are left, the cheapest first (Ward's criterion on their values). Each value is
 * the expected one under a uniform prior: ten pairs that agree are no certainty.
 */
function reduce(steps: readonly Step[], total: number): [number, number][] {
  const joined = [...steps];
  const smallest = Math.max(1, total / 1000);
  while (joined.length > MAX_KNOTS || (joined.length > 1 && joined.some(({ weight }) => weight < smallest))) {
    const index = cheapestJoin(joined, smallest);
    const [left, right] = [joined[index] as Step, joined[index + 1] as Step];
    joined.splice(index, 2, join(left, right));
  }
  let floor = 0;
  return joined.map(({ at, value, weight }) => {
    floor = Math.max(floor, (value * weight + 1) / (weight + 2));
    return [at, floor];
  });
}

function cheapestJoin(steps: readonly Step[], smallest: number): number {
  let best = 0;
  let bestCost = Infinity;
  for (let index = 0; index + 1 < steps.length; index++) {
    const [left, right] = [steps[index] as Step, steps[index + 1] as Step];
    const tooSmall = left.weight < smallest || right.weight < smallest;
    const ward = ((left.weight * right.weight) / (left.weight + right.weight)) * (right.value - left.value) ** 2;
    const cost = tooSmall ? ward * 1e-6 : ward;
    if (cost < bestCost) [best, bestCost] = [index, cost];
  }
  return best;
}

function join(left: Step, right: Step): Step {
  const weight = left.weight + right.weight;
  const mix = (a: number, b: number): number => (a * left.weight + b * right.weight) / weight;
  return { at: mix(left.at, right.at), value: mix(left.value, right.value), weight };
}

function checkPairs(pairs: readonly LabelledPair[]): void {
  const valid = pairs.every(({ cosine }) => Number.isFinite(cosine));
  if (valid && pairs.some(({ same }) => same) && pairs.some(({ same }) => !same)) return;
  const message = "A calibration needs pairs that mean the same and pairs that do not, each with a finite cosine.";
  throw new EmbeddingsError({ code: "EMBEDDINGS_INVALID_PAIRS", message, details: { pairs: pairs.length } });
}
