export { calibrate, type Calibration, fitCalibration, type LabelledPair } from "./calibration.js";
export { createEmbedder, type EmbedderOptions } from "./create-embedder.js";
export type { Embedder, EmbedOptions } from "./embedder.js";
export { EMBEDDINGS_ERROR_CODES, EmbeddingsError, type EmbeddingsErrorCode } from "./error.js";
export { createHashEmbedder } from "./hash-embedder.js";
