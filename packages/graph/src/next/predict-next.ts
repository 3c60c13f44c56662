import { LONGEST_CONTEXT, PathCounts } from "./path-counts.js";

export interface NextStep {
  readonly id: string;
  /** Sums to at most 1 over all that are possible. */
  readonly score: number;
  readonly reason: string;
}

export interface PredictOptions {
  /** How like the intent is to what each tool does or was used for, in [0, 1], from outside. */
  readonly likeness?: ReadonlyMap<string, number>;
  /** How much likeness counts against what usually follows. */
  readonly likenessWeight?: number;
  readonly limit?: number;
}

export const DEFAULT_PREDICT_OPTIONS: Required<PredictOptions> = {
  likeness: new Map(),
  likenessWeight: 0.5,
  limit: 10,
};

/** The chance that is left to what was never seen. */
const UNSEEN = 0.003;

/**
 * What comes next after what was done: Witten–Bell back-off (1991) from the last three steps to the last two, one and
 * none, so that a long context counts as far as it has been seen.
 */
export function predictNext(paths: PathCounts, done: readonly string[], options: PredictOptions = {}): NextStep[] {
  const { likeness, likenessWeight, limit } = { ...DEFAULT_PREDICT_OPTIONS, ...options };
  const chances = computeChances(paths, done);
  const ids = new Set([...chances.keys(), ...likeness.keys()]);
  const weight = likeness.size === 0 ? 0 : likenessWeight;
  const reason = done.length === 0 ? "often begins a run" : `often follows ${done.at(-1)}`;
  return [...ids]
    .map((id) => {
      const [chance, like] = [chances.get(id) ?? 0, likeness.get(id) ?? 0];
      // Two witnesses that know nothing of each other: their odds multiply. Neither may rule a tool out alone.
      const score = (chance + UNSEEN) ** (1 - weight) * (like + UNSEEN) ** weight;
      return { id, score: Math.min(1, score), reason: like > chance ? "is like what was asked for" : reason };
    })
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
    .slice(0, limit);
}

function computeChances(paths: PathCounts, done: readonly string[]): Map<string, number> {
  const chances = new Map<string, number>();
  let left = 1;
  for (let length = LONGEST_CONTEXT; length >= 0; length--) {
    const context = PathCounts.contextOf(done, length);
    const followers = context && paths.findFollowers(context);
    if (followers === undefined) continue;
    const { counts, total } = followers;
    const seen = total + counts.size;
    for (const [id, count] of counts) chances.set(id, (chances.get(id) ?? 0) + (left * count) / seen);
    left *= counts.size / seen;
  }
  return chances;
}
