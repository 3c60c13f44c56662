import { findNearestRequest, type StoredRequest } from "@pml/core";

import type { LabelledFeatures } from "./logistic.js";
import type { Paraphrase } from "./paraphrases.js";

export interface Judged extends LabelledFeatures {
  task: string;
  /** Whether the nearest request is the one that was meant. */
  right: boolean;
}

/** Each wording against the memory, with its own request in it or taken out. */
export function judge(asked: readonly Paraphrase[], memory: readonly StoredRequest[], present: boolean): Judged[] {
  return asked.flatMap((each) => {
    const nearest = findNearestRequest(each, present ? memory : memory.filter(({ id }) => id !== each.task));
    if (nearest === undefined) return [];
    const right = nearest.request.id === each.task;
    return [{ task: each.task, features: nearest.features, label: right, right }];
  });
}

export function shuffle<Item>(items: readonly Item[], seed: number): Item[] {
  let state = seed;
  const keyed = items.map((item) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return { item, key: state };
  });
  return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item);
}
