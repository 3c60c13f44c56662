import { cosine, type Query } from "@pml/core";

import type { RetrievalSet } from "./retrieval-data.js";

export interface Leaks {
  /** Ids of held-out tasks that would measure memory of a text instead of finding. */
  leaked: ReadonlySet<string>;
  descriptions: number;
  neighbours: number;
}

/** Held-out intents that repeat a tool's description, or an intent of the training half, in other punctuation or order. */
export function findLeaks({ candidates, tasks }: RetrievalSet): Leaks {
  const descriptions = new Set(candidates.map(({ description }) => fingerprint(description)));
  const taught = new Set(tasks.filter(({ train }) => train).map(({ text }) => fingerprint(text)));
  const held = tasks.filter(({ train }) => !train);
  const copies = held.filter(({ text }) => descriptions.has(fingerprint(text)));
  const repeats = held.filter(({ text }) => taught.has(fingerprint(text)));
  const leaked = new Set([...copies, ...repeats].map(({ id }) => id));
  return { leaked, descriptions: copies.length, neighbours: repeats.length };
}

function fingerprint(text: string): string {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).sort().join(" ");
}

/** Two wordings of the same request rarely come this close; the same request with another value in it does. */
const NEARLY_THE_SAME = 0.95;

/** Those that are all but a copy of an intent that was learned from. */
export function findNearCopies<Asked extends Query>(held: readonly Asked[], taught: readonly Query[]): Set<Asked> {
  return new Set(held.filter(({ vector }) => taught.some((each) => cosine(vector, each.vector) >= NEARLY_THE_SAME)));
}
