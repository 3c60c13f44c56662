import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";

import { type CandidateIndex, fuse, IntentMemory, recall } from "@pml/core";

import { drawCurves } from "./draw-curves.js";
import { meanWithInterval, measureRanking, type RankingQuality } from "./ranking-measures.js";
import type { RetrievalSet, RetrievalTask } from "./retrieval-data.js";

const AMOUNTS = [0, 1, 5, 20, 50, Infinity];
const MAX_TASKS = 600;

/** How ranking gets better as tools are remembered with intents they served. */
export function measureLearning({ candidates, tasks }: RetrievalSet, index: CandidateIndex): void {
  const ids = candidates.map(({ id }) => id);
  const taught = tasks.filter(({ train, candidateIds }) => train && candidateIds.length === 1);
  const held = tasks.filter(({ train }) => !train);
  const one = sample(held.filter(({ candidateIds }) => candidateIds.length === 1));
  const several = held.filter(({ candidateIds }) => candidateIds.length > 1);
  const rows = AMOUNTS.map((amount) => {
    const memory = new IntentMemory(ids, takeEach(taught, amount));
    const rank = (task: RetrievalTask): RankingQuality => {
      const right = new Set(task.candidateIds.map((id) => ids.indexOf(id)));
      return measureRanking(recall(fuse(index.score(task)), memory.score(task)), right);
    };
    const single = meanWithInterval(one.map((task) => rank(task).recall1));
    const multiple = meanWithInterval(several.map((task) => rank(task).recall5));
    return { amount: amount === Infinity ? "all" : String(amount), single, multiple };
  });
  console.log(`\nLearned: toole, ${one.length} held-out intents of one tool, ${several.length} of several.\n`);
  console.table(
    rows.map(({ amount, single, multiple }) => ({
      "intents a tool": amount,
      "one tool R@1": `${percent(single.mean)} ± ${percent(single.half)}`,
      "several tools R@5": `${percent(multiple.mean)} ± ${percent(multiple.half)}`,
    })),
  );
  const labels = rows.map(({ amount }) => amount);
  const curves = {
    "one tool, R@1": rows.map(({ single }) => single.mean),
    "several tools, R@5": rows.map(({ multiple }) => multiple.mean),
  };
  writeFileSync("docs/learning-curve.svg", drawCurves(labels, curves));
}

function takeEach(tasks: readonly RetrievalTask[], amount: number): RetrievalTask[] {
  const taken = new Map<string, number>();
  // Neighbours in the file were often written together; a host's intents come in no such order.
  const mixed = [...tasks].sort((a, b) => hashOf(a).localeCompare(hashOf(b)));
  return mixed.filter(({ candidateIds: [id = ""] }) => {
    const count = taken.get(id) ?? 0;
    taken.set(id, count + 1);
    return count < amount;
  });
}

function hashOf({ id }: RetrievalTask): string {
  return createHash("sha256").update(`order ${id}`).digest("hex");
}

function sample(tasks: readonly RetrievalTask[]): RetrievalTask[] {
  const every = Math.max(1, Math.floor(tasks.length / MAX_TASKS));
  return tasks.filter((_, at) => at % every === 0);
}

function percent(value: number): string {
  return (100 * value).toFixed(1);
}
