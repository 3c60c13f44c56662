/** A decision of a run, by its place, and the way it went. */
export interface Way {
  place: string;
  outcome: string;
}

export interface Explored<Run> {
  runs: Run[];
  /** Ways that were reached and not tried, for want of runs. */
  left: Way[];
  /** Ways that were chosen, and not taken for all that. */
  refused: Way[];
}

export interface Exploration<Run extends { decisions: readonly Way[] }> {
  listOutcomes(place: string): readonly string[];
  attempt(outcomes: Readonly<Record<string, string>>): Promise<Run>;
  mayGoOn(runs: number): boolean;
}

interface Plan {
  outcomes: Readonly<Record<string, string>>;
  target?: Way;
}

/**
 * Runs again and again, each time choosing one way that no run has taken yet, nearest to the start first. A way is
 * reached by the choices of the run that came to its decision, so whatever that run needed is chosen again.
 */
export async function explore<Run extends { decisions: readonly Way[] }>(
  exploration: Exploration<Run>,
): Promise<Explored<Run>> {
  const { listOutcomes, attempt, mayGoOn } = exploration;
  const runs: Run[] = [];
  const refused: Way[] = [];
  const seen = new Set<string>();
  const planned = new Set<string>();
  const plans: Plan[] = [{ outcomes: {} }];
  while (plans.length > 0 && mayGoOn(runs.length)) {
    const { outcomes, target } = plans.shift() as Plan;
    if (target !== undefined && seen.has(keyOf(target))) continue;
    const run = await attempt(outcomes);
    runs.push(run);
    for (const way of run.decisions) seen.add(keyOf(way));
    if (target !== undefined && !seen.has(keyOf(target))) refused.push(target);
    for (const place of new Set(run.decisions.map((way) => way.place)))
      for (const outcome of listOutcomes(place)) plan({ place, outcome }, outcomes);
  }
  const left = plans.flatMap(({ target }) => (target === undefined || seen.has(keyOf(target)) ? [] : [target]));
  return { runs, left, refused };

  function plan(target: Way, outcomes: Plan["outcomes"]): void {
    const key = keyOf(target);
    if (seen.has(key) || planned.has(key)) return;
    planned.add(key);
    plans.push({ outcomes: { ...outcomes, [target.place]: target.outcome }, target });
  }
}

export function keyOf({ place, outcome }: Way): string {
  return `${place} ${outcome}`;
}
