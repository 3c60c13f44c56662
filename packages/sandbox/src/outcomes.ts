import { invalidOptions } from "./error.js";

/**
 * The outcome of each decision that is chosen, by its place: its node, as `d1`, and inside of capabilities the nodes that
 * call them before it, as `n2/d1`. It holds for every turn of every loop around it.
 */
export type Outcomes = Readonly<Record<string, string>>;

/** Throws for what no child should be sent. */
export function resolveOutcomes(outcomes: Outcomes | undefined): Outcomes | undefined {
  if (outcomes === undefined) return undefined;
  const entries = Object.entries(outcomes);
  if (!entries.every(([, outcome]) => typeof outcome === "string"))
    throw invalidOptions("outcomes has to say for each decision which way it goes, as a string.");
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
