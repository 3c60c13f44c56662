import { locateMentions, PlanMemory } from "@pml/core";
import { type GraphRAGEngine, predictNext } from "@pml/graph";

import { withInterval } from "./bootstrap.js";
import type { DataSet } from "./data.js";
import { learnRuns } from "./graph-dag.eval.js";
import { FOLDS, type PlanSet, preparePlans, type PlanTask } from "./graph-plans.js";

/** How much the intent counts against what usually follows; one for all sets. */
const LIKENESS_WEIGHT = 0.6;
/** A tool that is spoken of a clause later is that much less likely to be the next one. */
const PER_CLAUSE = 0.85;
/** A step may be repeated, but seldom is. */
const REPEATED = 0.3;
const NEAREST = 30;
const GOALS: Record<string, string> = {
  ultratool: "≥ 76 / 97, aim 80 / 98",
  bfcl_multiturn: "≥ 58 / 83, aim 64 / 88",
  processtbench: "valid next ≥ 62, aim 74",
  taubench: "",
};

interface Guess {
  readonly rank: number;
  /** Whether the first guess could have come next: all that feeds it was done. */
  readonly isValid: boolean;
}

/** Which tool comes next, when the intent and what was done so far are known; learned from the other folds only. */
export default async function measureNext(sets: readonly DataSet[]): Promise<void> {
  console.log("Next tool, five folds by task id. The first step is not asked for. Steps, with 95 % intervals.\n");
  const rows: Record<string, unknown>[] = [];
  for (const set of sets.filter(({ name }) => Object.hasOwn(GOALS, name))) {
    const prepared = await preparePlans(set);
    const guesses = Array.from({ length: FOLDS }, (_, fold) => measureFold(prepared, fold)).flat();
    rows.push(
      describe(
        set.name,
        "paths alone",
        guesses.map(({ paths }) => paths),
      ),
    );
    rows.push(
      describe(
        set.name,
        "with the intent",
        guesses.map(({ both }) => both),
      ),
    );
  }
  console.table(rows);
}

function describe(set: string, by: string, guesses: readonly Guess[]): Record<string, unknown> {
  const share = (holds: (guess: Guess) => boolean): string =>
    withInterval(guesses, (rows) => rows.filter(holds).length / rows.length);
  return {
    set,
    by,
    steps: guesses.length,
    "top 1": share(({ rank }) => rank === 0),
    "top 5": share(({ rank }) => rank >= 0 && rank < 5),
    "valid next, first guess": set === "processtbench" ? share(({ isValid }) => isValid) : "",
    goal: GOALS[set],
  };
}

function measureFold(set: PlanSet, fold: number): { paths: Guess; both: Guess }[] {
  const train = set.tasks.filter((task) => task.fold !== fold);
  const memory = new PlanMemory(set.candidates, train);
  const engine = learnRuns(train.map(({ task }) => task));
  return set.tasks.filter((task) => task.fold === fold).flatMap((task) => guessSteps(task, { set, memory, engine }));
}

interface Learned {
  set: PlanSet;
  memory: PlanMemory;
  engine: GraphRAGEngine;
}

function guessSteps(task: PlanTask, { set, memory, engine }: Learned): { paths: Guess; both: Guess }[] {
  const { tools } = task.task;
  const chances = memory.score(task);
  const order = locateMentions(task.clauses, set.candidates);
  const near = memory.listNearest(task, NEAREST);
  return tools.slice(1).map((_, at) => {
    const done = tools.slice(0, at + 1);
    const votes = voteNext(near, done);
    const likeness = new Map(
      set.candidates.map(({ id }, row) => {
        const later = Math.max(0, (order.get(id) ?? 0) - (order.get(done.at(-1) ?? "") ?? 0));
        const chance = (chances[row] ?? 0) * PER_CLAUSE ** later * (done.includes(id) ? REPEATED : 1);
        return [id, (chance + (votes.get(id) ?? 0)) / 2] as const;
      }),
    );
    const guess = (options: { likeness?: ReadonlyMap<string, number> }): Guess =>
      judge(
        predictNext(engine.paths, done, { ...options, likenessWeight: LIKENESS_WEIGHT, limit: 5 }).map(({ id }) => id),
        { task, at: at + 1 },
      );
    return { paths: guess({}), both: guess({ likeness }) };
  });
}

/** What the nearest runs did right after the same step. */
function voteNext(near: ReturnType<PlanMemory["listNearest"]>, done: readonly string[]): Map<string, number> {
  const votes = new Map<string, number>();
  for (const { intent, likeness } of near) {
    const at = intent.candidateIds.lastIndexOf(done.at(-1) ?? "");
    const next = at < 0 ? undefined : intent.candidateIds[at + 1];
    if (next !== undefined) votes.set(next, (votes.get(next) ?? 0) + likeness);
  }
  return votes;
}

function judge(guessed: readonly string[], { task: { task }, at }: { task: PlanTask; at: number }): Guess {
  const [done, first] = [task.tools.slice(0, at), guessed[0] ?? ""];
  const feeders = (task.edges ?? []).filter(([, to]) => to === first).map(([from]) => from);
  const isOpen = task.tools.slice(at).includes(first);
  return {
    rank: guessed.indexOf(task.tools[at] ?? ""),
    isValid: isOpen && feeders.every((feeder) => done.includes(feeder)),
  };
}
