/** One station of data on its way: a call that gave or got it, or what the code wrote for it. */
export interface FlowStep {
  /** `server:name`, `code:…`, or `capabilities.name`; with `.field` where it is given to one. */
  readonly at: string;
  /** Line of the code, from 1. Absent for an expression: it stands where the next step does. */
  readonly line?: number;
  /** The capability whose code it is; none for the code of the run itself. */
  readonly capability?: string;
}

/** What an untrusted tool gave, and where it went from there. */
export interface Trail {
  readonly source: string;
  /** Names the call that gave it. */
  readonly key: string;
  readonly steps: readonly FlowStep[];
  /** Why it is not known whether it went this way. */
  readonly unsure?: string;
}

/** Longer ways say no more: their middle is left out. */
const MOST_STEPS = 12;
const LONGEST_TEXT = 80;

export function extend(trail: Trail, ...steps: readonly FlowStep[]): Trail {
  const all = [...trail.steps, ...steps.map((step) => ({ ...step, at: shorten(step.at) }))];
  const half = MOST_STEPS / 2;
  return {
    ...trail,
    steps: all.length <= MOST_STEPS ? all : [...all.slice(0, half), { at: "…" }, ...all.slice(1 - half)],
  };
}

/** One way for each call that gave something, the surest and shortest. */
export function mergeTrails(...groups: readonly (readonly Trail[])[]): readonly Trail[] {
  const best = new Map<string, Trail>();
  for (const trail of groups.flat()) {
    const known = best.get(trail.key);
    if (known === undefined || costOf(trail) < costOf(known)) best.set(trail.key, trail);
  }
  return [...best.values()];
}

function costOf({ steps, unsure }: Trail): number {
  return steps.length + (unsure === undefined ? 0 : 1000);
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, " ");
  return line.length <= LONGEST_TEXT ? line : `${line.slice(0, LONGEST_TEXT - 1)}…`;
}
