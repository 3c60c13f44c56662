import { writeFileSync } from "node:fs";

import { CandidateIndex, IntentMemory, recall } from "@pml/core";

import { drawCurves } from "./draw-curves.js";
import { findLeaks, findNearCopies } from "./leaks.js";
import { meanWithInterval, measureRanking } from "./ranking-measures.js";
import { isTraining, type RetrievalSet, type RetrievalTask } from "./retrieval-data.js";
import { takeEach } from "./take-each.js";

const AMOUNTS = [0, 1, 5, 20, 50, Infinity];
const MOST_ASKED = 4000;
/** What is learned from: four fifths of the tasks, by their ids. */
const TRAINING_SHARE = 0.8;

interface Point {
  label: string;
  single: readonly number[];
  multiple: readonly number[];
}

/** The set split anew, with more to learn from, and without what would leak across this split. */
export function splitForLearning(set: RetrievalSet): RetrievalSet {
  const tasks = set.tasks.map((task) => ({ ...task, train: isTraining(task.id, shareOf(task)) }));
  const { leaked } = findLeaks({ ...set, tasks });
  return { ...set, tasks: tasks.filter(({ id }) => !leaked.has(id)) };
}

/** Of tasks of several tools there are few, and none is remembered: half of them are asked. */
function shareOf({ candidateIds }: RetrievalTask): number {
  return candidateIds.length === 1 ? TRAINING_SHARE : 0.5;
}

/** How ranking gets better as tools are remembered with intents they served. */
export function measureLearning({ candidates, tasks }: RetrievalSet): void {
  const index = new CandidateIndex(candidates);
  const taught = tasks.filter(({ train, candidateIds }) => train && candidateIds.length === 1);
  const held = tasks.filter(({ train }) => !train);
  const one = sample(held.filter(({ candidateIds }) => candidateIds.length === 1));
  const several = held.filter(({ candidateIds }) => candidateIds.length > 1);
  const rowOf = new Map(candidates.map(({ id }, row) => [id, row]));
  const points = AMOUNTS.map((amount): Point => {
    const memory = IntentMemory.create(index, takeEach(taught, amount));
    const rank = (task: RetrievalTask) =>
      measureRanking(recall(memory.score(task)), new Set(task.candidateIds.map((id) => rowOf.get(id) as number)));
    return {
      label: amount === Infinity ? "all" : String(amount),
      single: one.map((task) => rank(task).recall1),
      multiple: several.map((task) => rank(task).recall5),
    };
  });
  console.log(
    `\nLearned: toole, from ${taught.length} intents; ${one.length} held-out ones of one tool, ${several.length} of several.\n`,
  );
  print(points);
  printWithoutCopies(points.at(-1)?.single ?? [], findNearCopies(one, taught), one);
  const curves = {
    "one tool, R@1": points.map(({ single }) => meanWithInterval(single).mean),
    "several tools, R@5": points.map(({ multiple }) => meanWithInterval(multiple).mean),
  };
  const labels = points.map(({ label }) => label);
  writeFileSync("docs/learning-curve.svg", drawCurves(labels, curves));
}

function print(points: readonly Point[]): void {
  const cold = points[0]?.multiple ?? [];
  console.table(
    points.map(({ label, single, multiple }) => ({
      "intents a tool": label,
      "one tool R@1": show(single),
      "several tools R@5": show(multiple),
      "than unlearned": show(multiple.map((value, at) => value - (cold[at] ?? 0))),
    })),
  );
}

function printWithoutCopies(
  values: readonly number[],
  copies: ReadonlySet<RetrievalTask>,
  asked: readonly RetrievalTask[],
): void {
  const rest = values.filter((_, at) => !copies.has(asked[at] as RetrievalTask));
  console.log(`${copies.size} of the held-out intents are near copies of a learned one; without them ${show(rest)}.`);
}

function show(values: readonly number[]): string {
  const { mean, half } = meanWithInterval(values);
  return `${(100 * mean).toFixed(1)} ± ${(100 * half).toFixed(1)}`;
}

function sample(tasks: readonly RetrievalTask[]): RetrievalTask[] {
  const every = Math.max(1, Math.floor(tasks.length / MOST_ASKED));
  return tasks.filter((_, at) => at % every === 0);
}
