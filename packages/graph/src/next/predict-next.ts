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
  const { followed, left } = countFollowed(paths, done);
  const usual = paths.findFollowers([]) ?? { counts: new Map<string, number>(), total: 0 };
  const ids = new Set([...followed.keys(), ...likeness.keys()]);
  // What is usual at all is worth looking through only where what followed does not suffice: it grows with the graph.
  if (ids.size < limit) for (const id of listCommonest(usual.counts, limit)) ids.add(id);
  const seen = usual.total + usual.counts.size || 1;
  const weight = likeness.size === 0 ? 0 : likenessWeight;
  return [...ids]
    .map((id) => {
      const chance = (followed.get(id) ?? 0) + (left * (usual.counts.get(id) ?? 0)) / seen;
      const like = likeness.get(id) ?? 0;
      // Two witnesses that know nothing of each other: their odds multiply. Neither may rule a tool out alone.
      const score = (chance + UNSEEN) ** (1 - weight) * (like + UNSEEN) ** weight;
      const reason = like > chance ? "is like what was asked for" : explain(done, followed.has(id));
      return { id, score: Math.min(1, score), reason };
    })
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
    .slice(0, limit);
}

function explain(done: readonly string[], hasFollowed: boolean): string {
  if (!hasFollowed) return "is often used";
  return done.length === 0 ? "often begins a run" : `often follows ${done.at(-1)}`;
}

/** The chance of all that followed one of the last contexts, and what is left to what did not. */
export function countFollowed(
  paths: PathCounts,
  done: readonly string[],
): { followed: Map<string, number>; left: number } {
  const followed = new Map<string, number>();
  let left = 1;
  for (let length = LONGEST_CONTEXT; length >= 1; length--) {
    const context = PathCounts.contextOf(done, length);
    const followers = context && paths.findFollowers(context);
    if (followers === undefined) continue;
    const { counts, total } = followers;
    const seen = total + counts.size;
    for (const [id, count] of counts) followed.set(id, (followed.get(id) ?? 0) + (left * count) / seen);
    left *= counts.size / seen;
  }
  return { followed, left };
}

function listCommonest(counts: ReadonlyMap<string, number>, limit: number): string[] {
  const best: [id: string, count: number][] = [];
  for (const entry of counts) {
    if (best.length === limit && compare(entry, best.at(-1) ?? entry) >= 0) continue;
    best.push(entry);
    best.sort(compare);
    if (best.length > limit) best.pop();
  }
  return best.map(([id]) => id);
}

function compare([a, timesA]: readonly [string, number], [b, timesB]: readonly [string, number]): number {
  return timesB - timesA || (a === b ? 0 : a < b ? -1 : 1);
}
