import type { SameRequestWeights } from "./weights.js";

/** Printed by `npm run eval -- reuse`: first the constant, then one a feature, as `findNearestRequest` lists them. */
export const SAME_REQUEST_WEIGHTS: SameRequestWeights = [
  -14.962, 1.897, 5.012, 11.212, 9.046, -1.109, 3.584, 0.42, 0.468, 2.046,
];
