import { CandidateIndex, describeFusion, type FusionWeights, type RankerScores } from "@pml/core";
import { type Example, fitListwise } from "@pml/core";

import { listBest, measureRanking, type RankingQuality } from "./ranking-measures.js";
import type { RetrievalSet } from "./retrieval-data.js";

/** A task, and what each ranker says of every tool. */
export interface ScoredTask {
  scores: RankerScores;
  right: ReadonlySet<number>;
  train: boolean;
}

const SHOWN = 15;
const MAX_TRAINING = 500;
const START: readonly number[] = [0, 0.5, 0.5, 0, 0, 3];
const LOOKS = 8;

export function scoreTasks({ candidates, tasks }: RetrievalSet, limit: number): ScoredTask[] {
  const index = new CandidateIndex(candidates);
  const rows = new Map(candidates.map(({ id }, row) => [id, row]));
  const every = Math.max(1, Math.floor(tasks.length / limit));
  return tasks
    .filter((_, at) => at % every === 0)
    .map((task) => ({
      scores: index.score(task),
      right: new Set(task.candidateIds.map((id) => rows.get(id) as number)),
      train: task.train,
    }));
}

/** Weights from the training parts of these sets, each set counting alike. */
export function fitFusion(sets: readonly (readonly ScoredTask[])[]): FusionWeights {
  const examples = sets.flatMap((tasks) => {
    const shown = tasks.filter(({ train }) => train).slice(0, MAX_TRAINING);
    return shown.map((task) => ({ ...toExample(task), weight: MAX_TRAINING / shown.length }));
  });
  const start = START.flatMap((weight) => [weight, ...Array.from({ length: LOOKS - 1 }, () => 0)]);
  const flat = fitListwise(examples, { epochs: 250, rate: 0.05, decay: 0.005, start, rivals: "wrong" });
  return START.map((_, signal) => flat.slice(signal * LOOKS, (signal + 1) * LOOKS));
}

export function measureTasks(
  tasks: readonly ScoredTask[],
  rank: (scores: RankerScores) => Float64Array,
): RankingQuality[] {
  return tasks.filter(({ train }) => !train).map(({ scores, right }) => measureRanking(rank(scores), right));
}

/** The best of each ranker and the right ones: telling these apart is what the weights are for. */
function toExample({ scores, right }: ScoredTask): Example {
  const { signals, looks } = describeFusion(scores);
  const shown = [
    ...new Set([
      ...right,
      ...[scores.lexical, scores.meaning, scores.closest].flatMap((each) => listBest(each, SHOWN)),
    ]),
  ];
  const rows = shown.map((row) =>
    Float64Array.from(signals.flatMap((signal) => looks.map((look) => look * (signal[row] ?? 0)))),
  );
  return { rows, right: [...right].map((row) => shown.indexOf(row)) };
}
