import type { SameRequestWeights } from "./weights.js";

/** Printed by `npm run eval -- reuse`: first the constant, then one a feature, as `findNearestRequest` lists them. */
export const SAME_REQUEST_WEIGHTS: SameRequestWeights = [
  -10.87, 2.273, 4.636, 14.059, 7.136, -1.41, 3.303, 0.925, -4.787,
];
