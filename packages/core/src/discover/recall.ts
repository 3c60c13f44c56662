import type { FusionInputs } from "./fusion.js";
import type { MemoryScores } from "./intent-memory.js";
import { MEMORY_WEIGHTS } from "./memory-weights.js";
import type { FusionWeights } from "./weights.js";

/** Many past intents a candidate: where counting more of them stops changing the weights. */
const DENSE = Math.log(100);

/** Adds what was learned to the ranking without it; with nothing learned, that ranking is left as it is. */
export function recall(memory: MemoryScores, weights: FusionWeights = MEMORY_WEIGHTS): Float64Array {
  if (memory.density === 0) return memory.cold;
  const { signals, looks } = describeRecall(memory);
  const strengths = signals.map((_, signal) => {
    const row = weights[signal] ?? [];
    return looks.reduce((sum, look, index) => sum + look * (row[index] ?? 0), 0);
  });
  return memory.cold.map((_, row) =>
    signals.reduce((sum, signal, index) => sum + (strengths[index] ?? 0) * (signal[row] ?? 0), 0),
  );
}

/** How much the past is to be believed depends on how much of it there is, and on how near it comes to what is asked. */
export function describeRecall(memory: MemoryScores): FusionInputs {
  const { standard, learned, close, wide, nearest } = memory;
  return { signals: [standard, learned, close, wide], looks: [1, describeDensity(memory), nearest] };
}

export function describeDensity({ density }: Pick<MemoryScores, "density">): number {
  return Math.min(1, Math.log1p(density) / DENSE);
}
