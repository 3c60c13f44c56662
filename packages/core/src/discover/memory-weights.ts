import type { FusionWeights } from "./weights.js";

/**
 * Fitted on the training parts of two public sets, with 1 to all past intents a tool remembered; rows are signals,
 * columns looks, as `describeRecall` lists them.
 */
export const MEMORY_WEIGHTS: FusionWeights = [
  [0.898, -0.197, -0.562, 0.113],
  [-0.212, -0.186, 0.089, -0.179],
  [1.287, -0.215, 0.764, -0.543],
  [0.39, -0.448, 0.461, -0.221],
  [-0.214, 0.16, 0.743, -0.141],
  [-0.075, 1.458, 0.332, -0.605],
];
