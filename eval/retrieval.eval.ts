import { fuse, type RankerScores, standardise } from "@pml/core";

import { fitFusion, measureTasks, scoreTasks, type ScoredTask } from "./cold-retrieval.js";
import type { DataSet } from "./data.js";
import { findLeaks } from "./leaks.js";
import { measureLearning, splitForLearning } from "./learning-curve.js";
import { meanWithInterval, type RankingQuality } from "./ranking-measures.js";
import { fitRecall } from "./recall-weights.js";
import { prepareSet, type RetrievalSet } from "./retrieval-data.js";

const SETS = ["toole", "sealtools", "bfcl_single", "ultratool"];
/** Sets with many intents a tool: what is remembered can be put to the test. */
const LEARNED = ["toole", "ultratool"];
const MAX_TASKS = 1500;
/** R@5 / nDCG@10 of a fixed mix (0.7 meaning), as the data's own notes give them for tasks that are not there. */
const MIX: Record<string, string> = {
  "toole, one tool": "80 / 71",
  "toole, several": "71 / 67",
  sealtools: "85 / 89",
  ultratool: "78 / 78",
  bfcl_single: "84 / 75",
};

type Rank = (scores: RankerScores) => Float64Array;

/** How well tools are found for an intent, before anything is learned and after. */
export default async function measureRetrieval(sets: readonly DataSet[]): Promise<void> {
  const prepared = await Promise.all(sets.filter(({ name }) => SETS.includes(name)).map(prepareSet));
  console.log("Intents that repeat a description, or each other across the split; they are left out.\n");
  const clean = prepared.map(leaveOutLeaks);
  const scored = new Map(clean.flatMap(splitByTools).map((set) => [set.name, scoreTasks(set, MAX_TASKS)]));
  console.log("\nNothing learned: R@1 · R@5 · nDCG@10 on the held-out half, ± is half the 95 % interval.\n");
  const measured = [...scored].map(([name, tasks]) => measureCold(name, tasks, scored));
  console.table(measured.map(({ row }) => row));
  printVerdicts(measured);
  console.log("fusion weights:", JSON.stringify(fitFusion([...scored.values()]).map((row) => row.map(round))));
  const learning = prepared.filter(({ name }) => LEARNED.includes(name)).map(splitForLearning);
  console.log("memory weights:", JSON.stringify(fitRecall(learning).map((row) => row.map(round))));
  for (const set of learning.filter(({ name }) => name === "toole")) measureLearning(set);
}

function leaveOutLeaks(set: RetrievalSet): RetrievalSet {
  const { leaked, descriptions, neighbours } = findLeaks(set);
  console.log(`${set.name}: ${descriptions} repeat a description, ${neighbours} repeat an intent of the other half`);
  return { ...set, tasks: set.tasks.filter(({ id }) => !leaked.has(id)) };
}

function splitByTools(set: RetrievalSet): RetrievalSet[] {
  if (set.name !== "toole") return [set];
  return [
    { ...set, name: "toole, one tool", tasks: set.tasks.filter(({ candidateIds }) => candidateIds.length === 1) },
    { ...set, name: "toole, several", tasks: set.tasks.filter(({ candidateIds }) => candidateIds.length > 1) },
  ];
}

interface ColdResult {
  row: Record<string, string>;
  qualities: Record<string, RankingQuality[]>;
}

function measureCold(name: string, tasks: ScoredTask[], all: Map<string, ScoredTask[]>): ColdResult {
  const family = name.split(",")[0] ?? name;
  const others = [...all].filter(([other]) => !other.startsWith(family)).map(([, each]) => each);
  const apart = fitFusion(others);
  const rankers: Record<string, Rank> = {
    lexical: ({ lexical }) => lexical,
    dense: ({ closest }) => closest,
    "fixed mix": ({ meaning, lexical }) => mix(meaning, lexical),
    shipped: (scores) => fuse(scores),
    "fitted without this set": (scores) => fuse(scores, apart),
  };
  const measured = Object.entries(rankers).map(([ranker, rank]) => [ranker, measureTasks(tasks, rank)] as const);
  const cells = measured.map(([ranker, qualities]) => [ranker, summarise(qualities)]);
  const row = { set: name, ...Object.fromEntries(cells), "mix, elsewhere": MIX[name] ?? "" };
  return { row, qualities: Object.fromEntries(measured) };
}

/** Whether what ships keeps its two promises: never behind the better of its rankers, ahead of the fixed mix on average. */
function printVerdicts(results: readonly ColdResult[]): void {
  for (const key of ["recall1", "recall5", "ndcg10"] as const) {
    const mean = (result: ColdResult, ranker: string): number =>
      meanWithInterval((result.qualities[ranker] ?? []).map((quality) => quality[key])).mean;
    const behind = results.filter(
      (result) => mean(result, "shipped") < Math.max(mean(result, "lexical"), mean(result, "dense")) - 1e-9,
    );
    const average = (ranker: string): string =>
      ((100 * results.reduce((sum, result) => sum + mean(result, ranker), 0)) / results.length).toFixed(1);
    const where = behind.length === 0 ? "on no set" : `on ${behind.map(({ row }) => row["set"]).join(", ")}`;
    const averages = ["lexical", "dense", "fixed mix", "shipped", "fitted without this set"].map(
      (ranker) => `${ranker} ${average(ranker)}`,
    );
    console.log(`${key}: behind the better of lexical and dense ${where}; averages: ${averages.join(", ")}`);
  }
}

function mix(meaning: Float64Array, lexical: Float64Array): Float64Array {
  const words = standardise(lexical);
  return standardise(meaning).map((score, row) => 0.7 * score + 0.3 * (words[row] ?? 0));
}

function summarise(qualities: readonly RankingQuality[]): string {
  const show = (key: keyof RankingQuality): string => {
    const { mean, half } = meanWithInterval(qualities.map((quality) => quality[key]));
    return `${(100 * mean).toFixed(1)}±${(100 * half).toFixed(1)}`;
  };
  return `${show("recall1")} · ${show("recall5")} · ${show("ndcg10")}`;
}

function round(value: number): number {
  return Number(value.toFixed(3));
}
