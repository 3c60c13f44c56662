import type { FusionWeights } from "./weights.js";

/**
 * Printed by `npm run eval -- retrieval`: fitted inside the training parts of two public sets, with 1 to all past intents a
 * tool remembered; rows are signals, columns looks, as `describeRecall` lists them.
 */
export const MEMORY_WEIGHTS: FusionWeights = [
  [0.86, -0.718, 0.035],
  [0.751, 0.292, -0.24],
  [-0.13, 0.087, 0.059],
  [0.022, 0.624, -0.233],
];
