import type { FusionWeights } from "./weights.js";

/**
 * Fitted by `npm run eval -- retrieval` on the training parts of four public sets of tools; rows are signals, columns
 * looks, as `describeFusion` lists them.
 */
export const FUSION_WEIGHTS: FusionWeights = [
  [-0.04, 0.158, -0.162, -0.05, -0.045, 0.361, 0.035, -0.057],
  [0.583, -0.251, 0.292, -0.134, 0.007, 0.108, -0.314, -0.247],
  [0.675, -0.205, -0.006, -0.353, -0.124, 0.129, -0.363, -0.292],
  [2.12, 1.063, 1.218, 0.18, 0.803, 1.078, -0.002, 0.549],
  [1.874, -0.291, 0.149, 0.065, -0.298, -0.431, 0.755, 0.859],
  [0.366, 0.456, -0.349, -0.209, 0.528, -1.27, 0.086, 0.488],
];
