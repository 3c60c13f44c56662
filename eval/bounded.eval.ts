import { judgeSame } from "@pml/core";
import { createThresholds, judgeScore, type Thresholds } from "@pml/graph";

import type { DataSet } from "./data.js";
import { judge, type Judged, shuffle } from "./judge-paraphrases.js";
import { fitLogistic } from "./logistic.js";
import { type Paraphrase, type ParaphraseData, readParaphrases } from "./paraphrases.js";
import { meanWithInterval } from "./ranking-measures.js";

const HOSTS = 20;
const TARGETS = [0.01, 0.02, 0.05];
/** Of the tasks of a host, those that were never stored: any automatic run for them is wrong. */
const NEVER_STORED = 0.4;
/** What is known of requests that nothing ran for by itself. */
const REPORTED = [1, 0];
const SPECULATION = ["speculation"] as const;

/** How many requests came to what, before and after the thresholds of a host were proven. */
interface Counts {
  requests: number;
  known: number;
  runs: number;
  wrong: number;
  reused: number;
  abstained: number;
  /** Abstained from although the nearest was what was meant. */
  missed: number;
}

/** Whether hosts that learn from their own outcomes keep to the share of wrong automatic runs that they accept. */
export default async function measureBounded(sets: readonly DataSet[]): Promise<void> {
  const set = sets.find(({ name }) => name === "processtbench");
  if (set === undefined) return;
  const all = await readParaphrases(set);
  const data = { ...all, paraphrases: all.paraphrases.filter(({ language }) => language === "en") };
  console.log(
    `${HOSTS} hosts, each with half of the tasks and its wordings in an order of its own; ${100 * NEVER_STORED} % of its tasks were never stored.`,
    "\nThe other half of the tasks taught what a score means. Shares are of requests, with 95 % intervals over hosts.\n",
  );
  for (const reported of REPORTED) {
    console.log(
      `Of what did not run by itself, the host hears how it would have turned out: ${reported ? "always" : "never"}`,
    );
    console.table(TARGETS.map((target) => measureTarget(data, target, reported)));
  }
}

function measureTarget(data: ParaphraseData, target: number, reported: number): Record<string, string> {
  const hosts = Array.from({ length: HOSTS }, (_, at) => measureHost(data, { seed: at + 1, target, reported }));
  const share = (read: (counts: Counts) => number, part: "before" | "after"): string => {
    const { mean, half } = meanWithInterval(hosts.map((host) => read(host[part])).filter(Number.isFinite));
    return `${(100 * mean).toFixed(2)} ± ${(100 * half).toFixed(2)}`;
  };
  return {
    accepted: `${100 * target} %`,
    "requests until proven": average(hosts.map(({ before }) => before.requests)),
    "wrong before": share(({ wrong, requests }) => wrong / requests, "before"),
    "wrong after": share(({ wrong, requests }) => wrong / requests, "after"),
    "wrong, of runs after": share(({ wrong, runs }) => wrong / runs, "after"),
    "known ones reused before": share(({ reused, known }) => reused / known, "before"),
    "known ones reused after": share(({ reused, known }) => reused / known, "after"),
    "abstained after": share(({ abstained, requests }) => abstained / requests, "after"),
    "known ones missed so": share(({ missed, known }) => missed / known, "after"),
  };
}

interface Host {
  seed: number;
  target: number;
  reported: number;
}

function measureHost(data: ParaphraseData, { seed, target, reported }: Host): { before: Counts; after: Counts } {
  const thresholds = createThresholds({ rules: { speculation: { target } } });
  const counts = { before: createCounts(), after: createCounts() };
  for (const { score, right, known } of listRequests(data, seed)) {
    const decision = decide(thresholds, score);
    count(decision.proven ? counts.after : counts.before, { ...decision, right, known });
    if (decision.does === "run" || reported === 1) thresholds.observe(SPECULATION, { score, wrong: !right });
  }
  return counts;
}

function decide(thresholds: Thresholds, score: number): { does: "run" | "suggest" | "abstain"; proven: boolean } {
  const judged = thresholds.get(SPECULATION);
  return { does: judgeScore(judged, score), proven: judged.proven };
}

/** What a host is asked, in its order, and how sure it is of the nearest thing it has stored. */
function listRequests(data: ParaphraseData, seed: number): { score: number; right: boolean; known: boolean }[] {
  const shuffled = shuffle(data.requests, seed);
  const [teaching, own] = [shuffled.slice(0, shuffled.length / 2), shuffled.slice(shuffled.length / 2)];
  const memory = own.slice(own.length * NEVER_STORED);
  const of = (requests: readonly { id: string }[]): Paraphrase[] => {
    const ids = new Set(requests.map(({ id }) => id));
    return data.paraphrases.filter(({ task }) => ids.has(task));
  };
  const taught = [true, false].flatMap((present) => judge(of(teaching), teaching, present));
  const weights = fitLogistic(taught);
  const stored = new Set(memory.map(({ id }) => id));
  const asked: Judged[] = judge(of(own), memory, true);
  return shuffle(asked, seed + 1000).map(({ features, right, task }) => ({
    score: judgeSame({ features }, weights),
    right,
    known: stored.has(task),
  }));
}

function createCounts(): Counts {
  return { requests: 0, known: 0, runs: 0, wrong: 0, reused: 0, abstained: 0, missed: 0 };
}

function count(counts: Counts, { does, right, known }: { does: string; right: boolean; known: boolean }): void {
  counts.requests++;
  if (known) counts.known++;
  if (does === "run") counts.runs++;
  if (does === "run" && !right) counts.wrong++;
  if (does === "run" && right) counts.reused++;
  if (does === "abstain") counts.abstained++;
  if (does === "abstain" && right) counts.missed++;
}

function average(values: readonly number[]): string {
  return (values.reduce((sum, value) => sum + value, 0) / values.length).toFixed(0);
}
