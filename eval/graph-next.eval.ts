import { NextMemory, type NextTool } from "@pml/core";
import { predictNext } from "@pml/graph";

import { withInterval } from "./bootstrap.js";
import type { DataSet } from "./data.js";
import { learnRuns } from "./graph-dag.eval.js";
import { FOLDS, type PlanSet, preparePlans, type PlanTask } from "./graph-plans.js";
import { readRuns, type TaskRun, toPastRun } from "./graph-runs.js";

const GOALS: Record<string, string> = {
  ultratool: "≥ 76 / 97, aim 80 / 98",
  bfcl_multiturn: "≥ 58 / 83, aim 64 / 88",
  processtbench: "valid next ≥ 62, aim 74",
  taubench: "",
};

interface Guess {
  /** Steps of one task stand or fall together: intervals are over tasks. */
  readonly task: string;
  readonly rank: number;
  /** Whether the first guess could have come next: it is still to be done, and all that feeds it was done. */
  readonly isValid: boolean;
}

/** Which tool comes next, when the intent and what was done so far are known; learned from the other folds only. */
export default async function measureNext(sets: readonly DataSet[]): Promise<void> {
  console.log(
    "Next tool, five folds by task id. The first step is not asked for. 95 % intervals, tasks drawn whole.\n",
  );
  for (const set of sets.filter(({ name }) => Object.hasOwn(GOALS, name))) {
    const prepared = await preparePlans(set);
    const runs = readRuns(set.name, prepared.tasks);
    const guesses = Array.from({ length: FOLDS }, (_, fold) => measureFold(prepared, runs, fold)).flat();
    const rows = (["paths", "learned"] as const).map((by) =>
      describe(
        set.name,
        by,
        guesses.map((each) => each[by]),
      ),
    );
    console.table(rows);
  }
}

function describe(set: string, by: "paths" | "learned", guesses: readonly Guess[]): Record<string, unknown> {
  const ids = [...new Set(guesses.map(({ task }) => task))];
  const places = new Map(ids.map((id, at) => [id, at]));
  const tasks: Guess[][] = ids.map(() => []);
  for (const guess of guesses) tasks[places.get(guess.task) ?? 0]?.push(guess);
  const share = (holds: (guess: Guess) => boolean): string =>
    withInterval(tasks, (drawn) => {
      const steps = drawn.flat();
      return steps.filter(holds).length / steps.length;
    });
  return {
    set,
    by: by === "paths" ? "paths alone" : "all that was learned",
    steps: guesses.length,
    "top 1": share(({ rank }) => rank === 0),
    "top 5": share(({ rank }) => rank >= 0 && rank < 5),
    "valid next, first guess": set === "processtbench" ? share(({ isValid }) => isValid) : "",
    goal: GOALS[set],
  };
}

type Runs = ReadonlyMap<string, readonly TaskRun[]>;

function measureFold(set: PlanSet, runs: Runs, fold: number): { paths: Guess; learned: Guess }[] {
  const train = set.tasks.filter((task) => task.fold !== fold).flatMap((task) => toPastRun(task, runs));
  const memory = NextMemory.create(set.candidates, train);
  const engine = learnRuns(
    train.map(({ candidateIds }, at) => ({ id: String(at), intent: "", tools: candidateIds, edges: null })),
  );
  return set.tasks
    .filter((task) => task.fold === fold)
    .flatMap((task) =>
      (runs.get(task.task.id) ?? []).flatMap((run) =>
        run.tools.slice(1).map((_, before) => {
          const done = run.tools.slice(0, before + 1);
          const judge = (guessed: readonly string[]): Guess => judgeGuess(guessed, { task, run, at: before + 1 });
          return {
            paths: judge(listFive(predictNext(engine.paths, done))),
            learned: judge(listFive(memory.rank(task, done))),
          };
        }),
      ),
    );
}

function listFive(found: readonly Pick<NextTool, "id">[]): string[] {
  return found.slice(0, 5).map(({ id }) => id);
}

function judgeGuess(
  guessed: readonly string[],
  { task, run, at }: { task: PlanTask; run: TaskRun; at: number },
): Guess {
  const [done, first] = [run.tools.slice(0, at), guessed[0] ?? ""];
  const feeders = (run.flows ?? []).filter(([, to]) => to === first).map(([from]) => from);
  const isOpen = run.tools.slice(at).includes(first);
  return {
    task: task.task.id,
    rank: guessed.indexOf(run.tools[at] ?? ""),
    isValid: isOpen && feeders.every((feeder) => done.includes(feeder)),
  };
}
