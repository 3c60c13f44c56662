import type { FusionWeights } from "./weights.js";

/**
 * Fitted by `npm run eval -- retrieval` on the training parts of four public sets of tools; rows are signals, columns
 * looks, as `describeFusion` lists them.
 */
export const FUSION_WEIGHTS: FusionWeights = [
  [-0.507, 0.489, -0.156, -0.151, -0.038, 0.37, 0.501, 0.303],
  [0.643, -0.222, 0.12, -0.237, -0.007, 0.094, -0.28, -0.365],
  [0.694, -0.192, 0.017, -0.329, -0.052, 0.12, -0.231, -0.364],
  [0.668, 0.25, 0.231, 0.104, 0.292, 0.314, 0.221, 0.262],
  [1.731, 0.08, 0.328, 0.12, -0.209, 0.262, 0.585, 0.513],
  [1.847, 0.184, -0.041, -0.029, 0.388, -0.428, -0.785, 0.057],
];
