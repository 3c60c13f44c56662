import { cosine, findNearestRequest, judgeSame, type StoredRequest } from "@pml/core";

import type { DataSet } from "./data.js";
import { judge, type Judged, shuffle } from "./judge-paraphrases.js";
import { fitLogistic } from "./logistic.js";
import { type Paraphrase, type ParaphraseData, readParaphrases } from "./paraphrases.js";
import { meanWithInterval } from "./ranking-measures.js";

const SPLITS = 20;
const STORED = [80, 200, 320];
const FALSE_REUSE = 0.01;
/** Rivals that are left where inputs rule the rest out. */
const RIVALS = [0, 1, 3];

/** Parts of what teaches: each is judged by weights that the others taught, as what comes later will be. */
const PARTS = 5;

/** Whether another wording finds its request, and how often it can be reused without reusing what was never asked. */
export default async function measureReuse(sets: readonly DataSet[]): Promise<void> {
  const set = sets.find(({ name }) => name === "processtbench");
  if (set === undefined) return;
  const data = await readParaphrases(set);
  console.log(`${data.requests.length} requests; ${data.repeated} wordings left out that repeat their request.\n`);
  const languages = [...new Set(data.paraphrases.map(({ language }) => language))];
  console.table(languages.map((language) => measureFinding(data, language)));
  const english = { ...data, paraphrases: data.paraphrases.filter(({ language }) => language === "en") };
  console.log(
    `Correct reuse at false reuse ≤ ${100 * FALSE_REUSE} %, threshold from the training part, ${SPLITS} splits.\n`,
  );
  console.table(STORED.map((stored) => measureStored(english, stored)));
  console.log("weights:", JSON.stringify(fitLogistic(judgeAll(english)).map((weight) => Number(weight.toFixed(3)))));
}

function measureFinding({ requests, paraphrases }: ParaphraseData, language: string): Record<string, string | number> {
  const asked = paraphrases.filter((each) => each.language === language);
  const nearest = asked.map((each) => findNearestRequest(each, requests)?.request.id ?? "");
  const counts = new Map<string, number>();
  for (const id of nearest) counts.set(id, (counts.get(id) ?? 0) + 1);
  const { mean, half } = meanWithInterval(asked.map(({ task }, row) => (nearest[row] === task ? 1 : 0)));
  const hub = Math.max(...counts.values()) / asked.length;
  return {
    language,
    wordings: asked.length,
    "hit@1": percent(mean, half),
    "share of the commonest result": percent(hub),
  };
}

function measureStored(data: ParaphraseData, stored: number): Record<string, string | number> {
  const splits = Array.from({ length: SPLITS }, (_, seed) => measureSplit(data, stored, seed + 1));
  const correct = meanWithInterval(splits.map((split) => split.correct));
  const wrong = meanWithInterval(splits.map((split) => split.wrong));
  return {
    stored,
    "correct reuse": percent(correct.mean, correct.half),
    "false reuse": percent(wrong.mean, wrong.half),
  };
}

/** Half of the stored requests teach weights and threshold; the other half, and requests never stored, are the test. */
function measureSplit(
  { requests, paraphrases }: ParaphraseData,
  stored: number,
  seed: number,
): { correct: number; wrong: number } {
  const shuffled = shuffle(requests, seed);
  const memory = shuffled.slice(0, stored);
  const part = (from: number, to: number): Paraphrase[] => {
    const ids = new Set(shuffled.slice(from, to).map(({ id }) => id));
    return paraphrases.filter(({ task }) => ids.has(task));
  };
  const teaching = part(0, stored / 2);
  const unseen = judge(
    [...teaching, ...memory.map((each) => ({ ...each, task: each.id, language: "en" }))],
    memory,
    false,
  );
  const taught = [...judge(teaching, memory, true), ...unseen];
  const weights = fitLogistic(taught);
  const score = (each: Judged): number => judgeSame({ features: each.features }, weights);
  const threshold = scoreApart(unseen, taught).sort((a, b) => b - a)[countAllowed(unseen.length)] ?? 1;
  const known = judge(part(stored / 2, stored), memory, true);
  const never = judge(part(stored, shuffled.length), memory, false);
  return {
    correct: known.filter((each) => each.right && score(each) > threshold).length / known.length,
    wrong: never.filter((each) => score(each) > threshold).length / never.length,
  };
}

/** Judged by weights that saw nothing of the same request: what a fit says of its own cases is too kind. */
function scoreApart(unseen: readonly Judged[], taught: readonly Judged[]): number[] {
  const ids = [...new Set(taught.map(({ task }) => task))];
  const partOf = new Map(ids.map((id, at) => [id, at % PARTS]));
  return Array.from({ length: PARTS }, (_, part) => {
    const isIn = ({ task }: Judged): boolean => partOf.get(task) === part;
    const weights = fitLogistic(taught.filter((each) => !isIn(each)));
    return unseen.filter(isIn).map(({ features }) => judgeSame({ features }, weights));
  }).flat();
}

/** Conformal: with n cases known, the next one passes the k-th highest of them with a chance of k / (n + 1). */
function countAllowed(cases: number): number {
  return Math.max(0, Math.floor((cases + 1) * FALSE_REUSE) - 1);
}

/** Against all that is stored, and against the few nearest: where an input rules most out, what is left is alike. */
function judgeAll({ requests, paraphrases }: ParaphraseData): Judged[] {
  const whole = [true, false].flatMap((present) => judge(paraphrases, requests, present));
  const few = paraphrases.flatMap((each) => {
    const others = listNearest(each, requests).filter(({ id }) => id !== each.task);
    const own = requests.filter(({ id }) => id === each.task);
    return RIVALS.flatMap((count) => [
      ...judge([each], [...own, ...others.slice(0, count)], true),
      ...judge([each], others.slice(0, count + 1), true),
    ]);
  });
  return [...whole, ...few];
}

function listNearest(asked: Paraphrase, requests: readonly StoredRequest[]): StoredRequest[] {
  return requests
    .map((request) => ({ request, likeness: cosine(asked.vector, request.vector) }))
    .sort((a, b) => b.likeness - a.likeness)
    .slice(0, 2 + Math.max(...RIVALS))
    .map(({ request }) => request);
}

function percent(value: number, half?: number): string {
  return (100 * value).toFixed(1) + (half === undefined ? "" : ` ± ${(100 * half).toFixed(1)}`);
}
