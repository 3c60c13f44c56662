import { isDeepStrictEqual } from "node:util";

import { maskValues } from "../../discover/mask-values.js";
import type { MeasuredRun } from "../../store/measured-runs.js";
import { hasServed, judge, ranByItself } from "./past-runs.js";
import { sameWords } from "./same-words.js";

/** A run, and what it was asked for: the same for intents that say the same, values aside. */
export type KeyedRun = MeasuredRun & { key: string | undefined };

/** A run that shows what serves an intent, as somebody chose to run it. */
export type Witness = KeyedRun & { intent: string; key: string; capabilityId: string };

/** An intent, and all runs that served it or one that says the same, the newest first. */
export interface Question {
  key: string;
  newest: Witness;
  runs: Witness[];
}

export function addKey(run: MeasuredRun): KeyedRun {
  const { intent, args } = run;
  const key = intent === undefined ? undefined : sameWords(maskValues(intent, readRecord(args)).text);
  // Of others nobody asks what they were given.
  return isWitness({ ...run, key }) ? { ...run, key } : { ...run, key, args: undefined };
}

/** What the memory chose itself is a witness only where somebody else found it right: it would agree with itself. */
export function isWitness(run: KeyedRun): run is Witness {
  const isChosen = run.mode === "direct" || run.mode === "named" || (ranByItself(run) && judge(run) === true);
  return isChosen && hasServed(run) && run.counted && run.intent !== undefined && run.capabilityId !== undefined;
}

/** Intents that say the same are one question. */
export function listQuestions(witnesses: readonly Witness[]): Question[] {
  const questions = new Map<string, Question>();
  for (const run of witnesses) {
    const known = questions.get(run.key);
    if (known === undefined) questions.set(run.key, { key: run.key, newest: run, runs: [run] });
    else known.runs.push(run);
  }
  return [...questions.values()];
}

/** What came with the intent. A trace has in one what was given and what stood in the code; who asks gives the first alone. */
export function listGiven({ args }: Witness, written: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(readRecord(args)).filter(
      ([name, value]) => !(Object.hasOwn(written, name) && isDeepStrictEqual(written[name], value)),
    ),
  );
}

function readRecord(args: unknown): Record<string, unknown> {
  return typeof args === "object" && args !== null && !Array.isArray(args) ? (args as Record<string, unknown>) : {};
}
