/** Longest run of steps that is remembered before the step that followed. */
export const LONGEST_CONTEXT = 3;

const START = "";
/** Between ids in a key; the length of each id stands before it, so that no id can imitate two. */
const keyOf = (context: readonly string[]): string => context.map((id) => `${id.length}:${id}`).join("");

export type PathCountsState = readonly (readonly [
  context: readonly string[],
  next: readonly (readonly [id: string, times: number])[],
])[];

interface Followers {
  readonly context: readonly string[];
  readonly counts: Map<string, number>;
  total: number;
}

/** How often each step followed each short run of steps. Counts only, so that a run can be taken out again. */
export class PathCounts {
  readonly #followers = new Map<string, Followers>();

  /**
   * One run says once what followed what: how long a list was that it went through is no reason to expect it. `times` of
   * -1 takes one observation back.
   */
  observe(nodes: readonly string[], times: number): void {
    const path = [START, ...nodes];
    const said = new Set<string>();
    for (let at = 1; at < path.length; at++) {
      for (let length = 0; length <= Math.min(LONGEST_CONTEXT, at); length++) {
        const [context, next] = [path.slice(at - length, at), path[at] as string];
        const key = `${keyOf([next])} ${keyOf(context)}`;
        if (!said.has(key)) this.#add(context, next, times);
        said.add(key);
      }
    }
  }

  /** What followed this context, the most frequent not necessarily first. */
  findFollowers(context: readonly string[]): { counts: ReadonlyMap<string, number>; total: number } | undefined {
    return this.#followers.get(keyOf(context));
  }

  /** The context as `findFollowers` wants it for what was done so far: with the start, if it is near. */
  static contextOf(done: readonly string[], length: number): readonly string[] | undefined {
    const path = [START, ...done];
    return length > path.length ? undefined : path.slice(path.length - length);
  }

  toState(): PathCountsState {
    return [...this.#followers.values()]
      .map(({ context, counts }) => [context, [...counts].sort(byFirst)] as const)
      .sort(([a], [b]) => (keyOf(a) < keyOf(b) ? -1 : 1));
  }

  restore(state: PathCountsState): void {
    for (const [context, next] of state) for (const [id, count] of next) this.#add(context, id, count);
  }

  #add(context: readonly string[], next: string, times: number): void {
    const key = keyOf(context);
    const followers = this.#followers.get(key) ?? { context, counts: new Map<string, number>(), total: 0 };
    const count = (followers.counts.get(next) ?? 0) + times;
    if (count > 0) followers.counts.set(next, count);
    else followers.counts.delete(next);
    followers.total += times;
    if (followers.counts.size > 0) this.#followers.set(key, followers);
    else this.#followers.delete(key);
  }
}

function byFirst(a: readonly [string, number], b: readonly [string, number]): number {
  return a[0] < b[0] ? -1 : 1;
}
