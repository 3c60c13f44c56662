import type { Calibration } from "./calibration.js";

/** Made by `npm run eval -- embeddings`, which fits and prints it anew. */
export const MINILM_CALIBRATION: Calibration = {
  knots: [
    [0.5426, 0.00466],
    [0.7197, 0.04608],
    [0.7459, 0.10606],
    [0.7625, 0.14027],
    [0.7779, 0.22034],
    [0.7878, 0.29032],
    [0.7987, 0.37288],
    [0.8096, 0.47561],
    [0.828, 0.6],
    [0.8483, 0.80247],
    [0.8682, 0.9375],
    [0.9164, 0.99197],
  ],
  prior: 0.0881,
  source:
    "isotonic regression over English wordings of processtbench requests, each with its own request and with the nine " +
    "nearest others, and over toole intents with the nearest nine of another tool; training half, by hash of the task id",
};
