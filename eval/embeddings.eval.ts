import { cosine, findTop } from "@pml/core";
import { calibrate, type Calibration, fitCalibration, type LabelledPair, createEmbedder } from "@pml/embeddings";

import type { DataSet } from "./data.js";
import { type ParaphraseData, readParaphrases } from "./paraphrases.js";
import { isTraining, prepareSet, type RetrievalTask } from "./retrieval-data.js";

/** Each wording with its own request and with its nearest others: what a search would have to decide between. */
const RIVALS = 9;
const SOURCE =
  "isotonic regression over English wordings of processtbench requests, each with its own request and with the nine " +
  "nearest others, and over toole intents with the nearest nine of another tool; training half, by hash of the task id";

/** Whether a calibrated cosine means what it says, on tasks that it was not fitted on. */
export default async function measureEmbeddings(sets: readonly DataSet[]): Promise<void> {
  const set = sets.find(({ name }) => name === "processtbench");
  if (set === undefined) return;
  const data = await readParaphrases(set);
  const toole = sets.find(({ name }) => name === "toole");
  const intents = toole === undefined ? [] : (await prepareSet(toole)).tasks.filter((_, at) => at % 80 === 0);
  const training = [...listPairs(data, true), ...listStrangers(intents.filter(({ train }) => train))];
  const held = [...listPairs(data, false), ...listStrangers(intents.filter(({ train }) => !train))];
  const fitted = fitCalibration(training, SOURCE);
  console.log("calibration fitted now:", JSON.stringify(roundKnots(fitted)));
  const shipped = createEmbedder().calibration ?? fitted;
  console.log(
    `\nHeld out: ${held.length} pairs, prior ${share(held).toFixed(3)} (fitted at ${shipped.prior.toFixed(3)})`,
  );
  console.log(`Brier score ${brier(held, shipped).toFixed(4)}; always saying the prior ${brier(held).toFixed(4)}\n`);
  console.table(listReliability(held, shipped));
  console.log(
    "\nA wording finds its request by cosine alone, by language; the hub is the request that most of them find.\n",
  );
  console.table(["en", "fr", "da"].map((language) => measureHub(data, language)));
}

/** Whether texts of a language are told apart, or all come to the same neighbour. */
function measureHub({ requests, paraphrases }: ParaphraseData, language: string): Record<string, string | number> {
  const asked = paraphrases.filter((paraphrase) => paraphrase.language === language);
  const found = asked.map(({ vector }) => {
    const likeness = Float64Array.from(requests, (request) => cosine(vector, request.vector));
    return requests[findTop(likeness).best]?.id;
  });
  const counts = new Map<string | undefined, number>();
  for (const id of found) counts.set(id, (counts.get(id) ?? 0) + 1);
  const hits = asked.filter(({ task }, at) => found[at] === task).length;
  const percent = (count: number): string => ((100 * count) / asked.length).toFixed(1);
  return {
    language,
    wordings: asked.length,
    "hit@1 %": percent(hits),
    "hub %": percent(Math.max(...counts.values())),
    "different requests found": counts.size,
  };
}

function listPairs({ requests, paraphrases }: ParaphraseData, training: boolean): LabelledPair[] {
  const part = requests.filter(({ id }) => isTraining(id) === training);
  const asked = paraphrases.filter(({ task, language }) => language === "en" && isTraining(task) === training);
  return asked.flatMap(({ task, vector }) => {
    const likeness = part.map((request) => ({ cosine: cosine(vector, request.vector), same: request.id === task }));
    const others = likeness.filter(({ same }) => !same).sort((a, b) => b.cosine - a.cosine);
    return [...likeness.filter(({ same }) => same), ...others.slice(0, RIVALS)];
  });
}

/** Intents of different tools; only that they are not the same is known of them. */
function listStrangers(few: readonly RetrievalTask[]): LabelledPair[] {
  return few.flatMap((task) =>
    few
      .filter(({ candidateIds }) => !candidateIds.some((id) => task.candidateIds.includes(id)))
      .map((other) => ({ cosine: cosine(task.vector, other.vector), same: false }))
      .sort((a, b) => b.cosine - a.cosine)
      .slice(0, RIVALS),
  );
}

function listReliability(pairs: readonly LabelledPair[], calibration: Calibration): Record<string, string | number>[] {
  return Array.from({ length: 10 }, (_, bin) => {
    const inside = pairs.filter((pair) => Math.min(9, Math.floor(calibrate(calibration, pair.cosine) * 10)) === bin);
    const said = inside.reduce((sum, pair) => sum + calibrate(calibration, pair.cosine), 0) / inside.length;
    return { from: bin / 10, pairs: inside.length, said: said.toFixed(3), was: share(inside).toFixed(3) };
  }).filter(({ pairs: count }) => count > 0);
}

function brier(pairs: readonly LabelledPair[], calibration?: Calibration): number {
  const prior = share(pairs);
  const error = ({ cosine, same }: LabelledPair): number =>
    ((calibration ? calibrate(calibration, cosine) : prior) - (same ? 1 : 0)) ** 2;
  return pairs.reduce((sum, pair) => sum + error(pair), 0) / pairs.length;
}

function share(pairs: readonly LabelledPair[]): number {
  return pairs.filter(({ same }) => same).length / Math.max(1, pairs.length);
}

function roundKnots({ knots, prior, source }: Calibration): Calibration {
  return { knots: knots.map(([at, value]) => [Number(at.toFixed(4)), Number(value.toFixed(5))]), prior, source };
}
