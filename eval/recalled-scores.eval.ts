import { CandidateIndex, describeRecalled, fuse, IntentMemory, judgeRecalled, judgeTools, recall } from "@pml/core";

import type { DataSet } from "./data.js";
import { splitForLearning } from "./learning-curve.js";
import { fitLogistic, type LabelledFeatures } from "./logistic.js";
import { listBest } from "./ranking-measures.js";
import { isTraining, prepareSet, type RetrievalSet, type RetrievalTask } from "./retrieval-data.js";
import { takeEach } from "./take-each.js";

const SETS = ["toole", "ultratool"];
/** So many requests in all, as a young memory has them, or so many of each tool, from which it is fitted. */
const AMOUNTS: readonly Amount[] = [
  ...[3, 10, 30].map((count) => ({ count, of: "all tools" as const })),
  ...[1, 5, 20, 50].map((count) => ({ count, of: "each tool" as const })),
];
const MOST_ASKED = 200;
/** Tools judged for each task: what a caller gets to see. */
const SHOWN = 10;

interface Judged extends LabelledFeatures {
  /** What the unlearned ranking says of the tool. */
  cold: number;
  shipped: (weights?: readonly number[]) => number;
}

interface Amount {
  count: number;
  of: "all tools" | "each tool";
}

interface Part {
  set: string;
  amount: Amount;
  train: Judged[];
  held: Judged[];
}

/** Whether the score of a tool is still the probability that it was meant, once past requests have a part in it. */
export default async function measureRecalledScores(sets: readonly DataSet[]): Promise<void> {
  const prepared = await Promise.all(sets.filter(({ name }) => SETS.includes(name)).map(prepareSet));
  const parts = prepared.map(splitForLearning).flatMap((set) => AMOUNTS.map((amount) => judgePart(set, amount)));
  const taught = parts.filter(({ amount }) => amount.of === "each tool");
  const weights = fitLogistic(
    taught.flatMap(({ train }) => train),
    3000,
  );
  console.log(`Brier scores of the ${SHOWN} best tools for each held-out task; lower is better.\n`);
  console.table(
    parts.map((part) => describePart(part, { weights, others: fitLogistic(leaveOut(taught, part), 3000) })),
  );
  console.log("weights:", JSON.stringify(weights.map((weight) => Number(weight.toFixed(3)))));
}

function leaveOut(parts: readonly Part[], { set }: Part): Judged[] {
  return parts.filter((part) => part.set !== set).flatMap(({ train }) => train);
}

/** The training part remembers four fifths of itself and is asked for the rest; the held-out part is asked of all of it. */
function judgePart(set: RetrievalSet, amount: Amount): Part {
  const taught = set.tasks.filter(({ train }) => train);
  const inner = taught.filter(({ id }) => isTraining(`inner ${id}`, 0.8));
  const apart = taught.filter(({ id }) => !isTraining(`inner ${id}`, 0.8));
  const held = set.tasks.filter(({ train }) => !train);
  return {
    set: set.name,
    amount,
    train: judgeAll(set, { remembered: inner, asked: apart, amount }),
    held: judgeAll(set, { remembered: taught, asked: held, amount }),
  };
}

function judgeAll(
  { candidates }: RetrievalSet,
  { remembered, asked, amount }: { remembered: RetrievalTask[]; asked: RetrievalTask[]; amount: Amount },
): Judged[] {
  const index = new CandidateIndex(candidates);
  const { count, of } = amount;
  const known = of === "each tool" ? takeEach(remembered, count) : takeEach(remembered, 1).slice(0, count);
  const memory = IntentMemory.create(index, known);
  const every = Math.max(1, Math.floor(asked.length / MOST_ASKED));
  return asked.filter((_, at) => at % every === 0).flatMap((task) => judgeTask(index, memory, task));
}

function judgeTask(index: CandidateIndex, memory: IntentMemory, task: RetrievalTask): Judged[] {
  const scores = index.score(task);
  const remembered = memory.score(task, scores);
  const recalled = { scores: recall(remembered), memory: remembered };
  const looks = describeRecalled(scores, recalled);
  const cold = judgeTools(scores, fuse(scores));
  const right = new Set(task.candidateIds);
  return listBest(recalled.scores, SHOWN).map((row) => ({
    features: [recalled.scores[row] ?? 0, ...looks],
    label: right.has(index.candidates[row]?.id ?? ""),
    cold: cold[row] ?? 0,
    shipped: (weights) => judgeRecalled(scores, recalled, weights)[row] ?? 0,
  }));
}

function describePart(
  { set, amount, held }: Part,
  { weights, others }: { weights: readonly number[]; others: readonly number[] },
): Record<string, string | number> {
  const share = held.filter(({ label }) => label).length / held.length;
  const mean = held.reduce((sum, each) => sum + each.shipped(weights), 0) / held.length;
  return {
    set,
    intents: `${amount.count} of ${amount.of}`,
    "share right": share.toFixed(3),
    "always that share": (share * (1 - share)).toFixed(4),
    "unlearned judge": describeBrier(held, ({ cold }) => cold),
    shipped: describeBrier(held, (each) => each.shipped()),
    "fitted here": describeBrier(held, (each) => each.shipped(weights)),
    "fitted on the other set": describeBrier(held, (each) => each.shipped(others)),
    "error of the mean": (mean - share).toFixed(3),
  };
}

function describeBrier(judged: readonly Judged[], says: (each: Judged) => number): string {
  const sum = judged.reduce((total, each) => total + (says(each) - (each.label ? 1 : 0)) ** 2, 0);
  return (sum / judged.length).toFixed(4);
}
