import { GraphError } from "../error.js";

/** How one kind of automatic decision is to be judged. */
export interface ThresholdRule {
  /** What decides until outcomes are there. */
  shipped: number;
  /** The threshold never leaves these bounds, whatever was observed. */
  min: number;
  max: number;
  /** The share of automatic decisions that may be wrong. */
  target: number;
  /** Below which score nothing is offered either. Without it, everything is. */
  floor?: FloorRule;
}

export interface FloorRule {
  /** What decides until outcomes are there. */
  shipped: number;
  /** Never above this, whatever was observed. */
  max: number;
  /** The share of what was meant that may lie below, and so is not offered. */
  missed: number;
}

export interface ThresholdOptions {
  /** By kind; what is given replaces or joins the default ones, field by field. */
  rules: Readonly<Record<string, Partial<ThresholdRule>>>;
  /** How sure one has to be that the target is missed before a threshold is raised without proof of a better one. */
  brakeConfidence: number;
  /** Fewer outcomes than this prove nothing. */
  minOutcomes: number;
  /** Outcomes kept of a context lie between this and twice this. */
  generation: number;
  /** Contexts beyond this push out those that were not observed for longest. */
  maxContexts: number;
}

/** A suggestion costs a glance, so nine of ten may go unused; what runs by itself may be wrong once in a hundred. */
export const DEFAULT_THRESHOLD_RULES: Readonly<Record<string, ThresholdRule>> = {
  suggestion: { shipped: 0.3, min: 0.1, max: 0.6, target: 0.9 },
  speculation: {
    shipped: 0.85,
    min: 0.6,
    max: 0.99,
    target: 0.01,
    floor: { shipped: 0.02, max: 0.3, missed: 0.05 },
  },
  alternative: { shipped: 0.9, min: 0.7, max: 0.99, target: 0.01 },
  intentCache: { shipped: 0.95, min: 0.85, max: 0.995, target: 0.01 },
};

export const DEFAULT_THRESHOLD_OPTIONS: ThresholdOptions = {
  rules: {},
  brakeConfidence: 0.99,
  minOutcomes: 100,
  generation: 1000,
  maxContexts: 10_000,
};

export interface ResolvedThresholdOptions extends Omit<ThresholdOptions, "rules"> {
  rules: ReadonlyMap<string, ThresholdRule>;
}

export function resolveThresholdOptions(given: Partial<ThresholdOptions> = {}): ResolvedThresholdOptions {
  const options = { ...DEFAULT_THRESHOLD_OPTIONS, ...given };
  const kinds = new Set([...Object.keys(DEFAULT_THRESHOLD_RULES), ...Object.keys(options.rules)]);
  const rules = new Map([...kinds].map((kind) => [kind, resolveRule(kind, options.rules[kind])]));
  const { brakeConfidence } = options;
  if (!(brakeConfidence > 0.5 && brakeConfidence < 1))
    throw invalidOption("brakeConfidence", "has to lie between 0.5 and 1");
  for (const name of ["minOutcomes", "generation", "maxContexts"] as const) {
    if (!(Number.isSafeInteger(options[name]) && options[name] > 0)) throw invalidOption(name, "has to be a count");
  }
  return { ...options, rules };
}

const UNKNOWN_KIND: Partial<ThresholdRule> = { min: 0, max: 1, target: 0.01 };

function resolveRule(kind: string, given: Partial<ThresholdRule> = {}): ThresholdRule {
  const base = Object.hasOwn(DEFAULT_THRESHOLD_RULES, kind) ? DEFAULT_THRESHOLD_RULES[kind] : UNKNOWN_KIND;
  const rule = { ...base, ...given };
  const { shipped = Number.NaN, min = Number.NaN, max = Number.NaN, target = Number.NaN, floor } = rule;
  const ordered = 0 <= min && min <= shipped && shipped <= max && max <= 1;
  if (!ordered) throw invalidOption(`rules.${kind}`, "needs 0 ≤ min ≤ shipped ≤ max ≤ 1");
  if (!(target > 0 && target < 1)) throw invalidOption(`rules.${kind}.target`, "has to lie between 0 and 1");
  if (floor !== undefined && !isFloor(floor))
    throw invalidOption(`rules.${kind}.floor`, "needs 0 ≤ shipped ≤ max ≤ 1 and 0 < missed < 1");
  return { shipped, min, max, target, ...(floor !== undefined && { floor }) };
}

function isFloor({ shipped, max, missed }: FloorRule): boolean {
  return 0 <= shipped && shipped <= max && max <= 1 && missed > 0 && missed < 1;
}

function invalidOption(name: string, problem: string): GraphError {
  return new GraphError("GRAPH_INVALID_OPTIONS", `The option ${name} ${problem}.`, { details: { name } });
}
