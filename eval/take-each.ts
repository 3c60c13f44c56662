import { createHash } from "node:crypto";

import type { RetrievalTask } from "./retrieval-data.js";

/** At most so many intents of each tool. */
export function takeEach(tasks: readonly RetrievalTask[], amount: number): RetrievalTask[] {
  const taken = new Map<string, number>();
  // Neighbours in the file were often written together; a host's intents come in no such order.
  const mixed = [...tasks].sort((a, b) => hashOf(a).localeCompare(hashOf(b)));
  return mixed.filter(({ candidateIds }) => {
    const counts = candidateIds.map((id) => taken.get(id) ?? 0);
    if (Math.min(...counts) >= amount) return false;
    for (const [at, id] of candidateIds.entries()) taken.set(id, (counts[at] ?? 0) + 1);
    return true;
  });
}

function hashOf({ id }: RetrievalTask): string {
  return createHash("sha256").update(`order ${id}`).digest("hex");
}
