/** About 400 tokens: long enough to keep the model busy, short enough that an abort is soon heard. */
const MAX_BATCH_CHARACTERS = 2000;
const MAX_BATCH_TEXTS = 32;

/**
 * Indices of the texts, batch by batch, the like long together: a batch is padded to its longest text, so a short text
 * beside a long one costs as much as the long one.
 */
export function planBatches(texts: readonly string[]): number[][] {
  const order = texts.map((_, index) => index).sort((a, b) => lengthOf(texts, a) - lengthOf(texts, b));
  const batches: number[][] = [];
  let batch: number[] = [];
  for (const index of order) {
    const padded = (batch.length + 1) * lengthOf(texts, index);
    if (batch.length > 0 && (batch.length === MAX_BATCH_TEXTS || padded > MAX_BATCH_CHARACTERS)) {
      batches.push(batch);
      batch = [];
    }
    batch.push(index);
  }
  return batch.length > 0 ? [...batches, batch] : batches;
}

function lengthOf(texts: readonly string[], index: number): number {
  return texts[index]?.length ?? 0;
}
