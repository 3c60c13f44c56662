import { CandidateIndex, describeRecall, type FusionWeights, IntentMemory } from "@pml/core";
import { type Example, fitListwise } from "@pml/core";

import { isTraining, type RetrievalSet } from "./retrieval-data.js";
import { takeEach } from "./take-each.js";

const AMOUNTS = [1, 5, 20, Infinity];
const LESSONS = 150;
/** The unlearned ranking and what is learned on top of it, before anything speaks for more. */
const START = [0.2, 0.8, 0.1, 0.3].flatMap((weight) => [weight, 0, 0]);
const LOOKS = 3;

/**
 * How far neighbours and the linear memory are to be believed, with little and with much remembered: from the training
 * part alone, one fifth of which asks what the other four remember.
 */
export function fitRecall(sets: readonly RetrievalSet[]): FusionWeights {
  const examples = sets.flatMap((set) => AMOUNTS.flatMap((amount) => listExamples(set, amount)));
  const flat = fitListwise(examples, { epochs: 200, rate: 0.03, decay: 0.01, start: START, rivals: "wrong" });
  return Array.from({ length: START.length / LOOKS }, (_, row) => flat.slice(row * LOOKS, (row + 1) * LOOKS));
}

function listExamples({ candidates, tasks }: RetrievalSet, amount: number): Example[] {
  const taught = tasks.filter(({ train }) => train);
  const remembered = taught.filter((task) => task.candidateIds.length === 1 && isTraining(`inner ${task.id}`, 0.8));
  const memory = IntentMemory.create(new CandidateIndex(candidates), takeEach(remembered, amount));
  const rowOf = new Map(candidates.map(({ id }, row) => [id, row]));
  const asked = taught.filter((task) => !remembered.includes(task));
  const kinds = [1, 2].map((kind) => asked.filter(({ candidateIds }) => Math.min(2, candidateIds.length) === kind));
  return kinds
    .flatMap((kind) => kind.filter((_, at) => at % Math.max(1, Math.floor(kind.length / LESSONS)) === 0))
    .map((task) => {
      const { signals, looks } = describeRecall(memory.score(task));
      const rows = candidates.map((_, row) =>
        Float64Array.from(signals.flatMap((signal) => looks.map((look) => look * (signal[row] ?? 0)))),
      );
      return { rows, right: task.candidateIds.map((id) => rowOf.get(id) as number) };
    });
}
