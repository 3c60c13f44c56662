import type { FusionInputs } from "./fusion.js";
import type { MemoryScores } from "./intent-memory.js";
import { findTop, standardise } from "./likeness.js";
import { MEMORY_WEIGHTS } from "./memory-weights.js";
import type { FusionWeights } from "./weights.js";

/** Many past intents a candidate: where counting more of them stops changing the weights. */
const DENSE = Math.log(100);

/** Adds what was learned to the ranking without it; with nothing learned, that ranking is left as it is. */
export function recall(
  cold: Float64Array,
  memory: MemoryScores,
  weights: FusionWeights = MEMORY_WEIGHTS,
): Float64Array {
  if (memory.density === 0) return cold;
  const { signals, looks } = describeRecall(cold, memory);
  const strengths = signals.map((_, signal) => {
    const row = weights[signal] ?? [];
    return looks.reduce((sum, look, index) => sum + look * (row[index] ?? 0), 0);
  });
  return cold.map((_, row) =>
    signals.reduce((sum, signal, index) => sum + (strengths[index] ?? 0) * (signal[row] ?? 0), 0),
  );
}

export function describeRecall(cold: Float64Array, memory: MemoryScores): FusionInputs {
  const { nearest, votes, typical, telling, wording, density } = memory;
  const learned = Math.min(1, Math.log1p(density) / DENSE);
  const top = Math.max(0, findTop(nearest).first);
  return {
    signals: [
      standardise(cold),
      standardise(nearest),
      votes,
      standardise(typical),
      standardise(wording),
      standardise(telling),
    ],
    looks: [1, learned, top, Math.max(0, findTop(votes).first)],
  };
}
