import { describeQuery, fuse, judgeTools } from "@pml/core";

import { scoreTasks, type ScoredTask } from "./cold-retrieval.js";
import type { DataSet } from "./data.js";
import { findLeaks } from "./leaks.js";
import { fitLogistic, type LabelledFeatures } from "./logistic.js";
import { listBest } from "./ranking-measures.js";
import { prepareSet } from "./retrieval-data.js";

const SETS = ["toole", "sealtools", "bfcl_single", "ultratool"];
const MAX_TASKS = 800;
/** Tools judged for each task: what a caller gets to see. */
const SHOWN = 10;
const BINS = [0, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 1];

interface Scored {
  name: string;
  tasks: ScoredTask[];
}

/** Whether the score of a tool is the probability that it was meant; and the weights that make it so. */
export default async function measureToolScores(sets: readonly DataSet[]): Promise<void> {
  const scored: Scored[] = [];
  for (const set of sets.filter(({ name }) => SETS.includes(name))) {
    const prepared = await prepareSet(set);
    const { leaked } = findLeaks(prepared);
    const tasks = prepared.tasks.filter(({ id }) => !leaked.has(id));
    scored.push({ name: set.name, tasks: scoreTasks({ ...prepared, tasks }, MAX_TASKS) });
  }
  const weights = fit(scored);
  console.log(`Of the ${SHOWN} best tools for each held-out task; each set counts alike in the fit.\n`);
  console.table(
    scored.map((set) => describeSet(set, { all: weights, others: fit(scored.filter((each) => each !== set)) })),
  );
  console.log("What a score says, and how often it was so, over all held-out tasks, with the weights fitted here.\n");
  console.table(describeBins(scored.flatMap(({ tasks }) => judge(tasks, weights))));
  console.log("weights:", JSON.stringify(weights.map((weight) => Number(weight.toFixed(3)))));
}

/** On the training parts. */
function fit(sets: readonly Scored[]): number[] {
  const parts = sets.map(({ tasks }) => tasks.filter(({ train }) => train).flatMap(listRows));
  const least = Math.min(...parts.map(({ length }) => length));
  return fitLogistic(
    parts.flatMap((rows) => rows.filter((_, at) => at % Math.max(1, Math.floor(rows.length / least)) === 0)),
    3000,
  );
}

function listRows({ scores, right }: ScoredTask): LabelledFeatures[] {
  const fused = fuse(scores);
  const looks = describeQuery(scores, fused);
  return listBest(fused, SHOWN).map((row) => ({ features: [fused[row] ?? 0, ...looks], label: right.has(row) }));
}

interface Judgement {
  probability: number;
  right: boolean;
}

function judge(tasks: readonly ScoredTask[], weights?: readonly number[]): Judgement[] {
  return tasks
    .filter(({ train }) => !train)
    .flatMap(({ scores, right }) => {
      const fused = fuse(scores);
      const probabilities = judgeTools(scores, fused, weights);
      return listBest(fused, SHOWN).map((row) => ({ probability: probabilities[row] ?? 0, right: right.has(row) }));
    });
}

function describeSet(
  { name, tasks }: Scored,
  weights: { all: readonly number[]; others: readonly number[] },
): Record<string, string> {
  const base = judge(tasks, weights.all);
  const share = base.filter(({ right }) => right).length / base.length;
  return {
    set: name,
    "share right": share.toFixed(3),
    "Brier, always that share": (share * (1 - share)).toFixed(4),
    shipped: describeBrier(judge(tasks)),
    "fitted here": describeBrier(base),
    "fitted without this set": describeBrier(judge(tasks, weights.others)),
    "error of the mean": (base.reduce((sum, { probability }) => sum + probability, 0) / base.length - share).toFixed(3),
  };
}

/** The mean square of how far off the scores were. */
function describeBrier(judged: readonly Judgement[]): string {
  const sum = judged.reduce((total, { probability, right }) => total + (probability - (right ? 1 : 0)) ** 2, 0);
  return (sum / judged.length).toFixed(4);
}

function describeBins(judged: readonly Judgement[]): Record<string, string | number>[] {
  return BINS.slice(1).map((high, at) => {
    const low = BINS[at] ?? 0;
    const inside = judged.filter(({ probability }) => probability >= low && (probability < high || high === 1));
    const mean = (of: (each: Judgement) => number): string =>
      (inside.reduce((sum, each) => sum + of(each), 0) / Math.max(1, inside.length)).toFixed(3);
    return {
      score: `${low} – ${high}`,
      tools: inside.length,
      "mean score": mean(({ probability }) => probability),
      "were meant": mean(({ right }) => Number(right)),
    };
  });
}
