import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import type { Calibration } from "./calibration.js";
import type { Embedder } from "./embedder.js";
import { EmbeddingsError } from "./error.js";
import { READING } from "./foreign-text.js";
import { MINILM_CALIBRATION } from "./minilm-calibration.js";
import { ModelEmbedder } from "./model-embedder.js";
import { ModelThread } from "./model/model-thread.js";

export interface EmbedderOptions {
  /** A model that transformers.js can load; all-MiniLM-L6-v2, which comes with this package, if nothing is said. */
  model?: string;
  /** The folder the model's folder lies in. Without it, a model other than the bundled one is downloaded. */
  localPath?: string;
  /** As the model's files are quantised. Default: `"q8"`. */
  dtype?: string;
  /** How the vectors of tokens become one. Default: `"mean"`. */
  pooling?: "mean" | "cls";
  /** Needed for a model whose `config.json` is not under `localPath`. */
  dimensions?: number;
  /** What a cosine means for this model; see `fitCalibration`. */
  calibration?: Calibration;
  /** How many texts are remembered with their vectors. Default: 2000. */
  cacheSize?: number;
}

const BUNDLED = { model: "all-MiniLM-L6-v2", dtype: "q8", pooling: "mean", dimensions: 384 } as const;
const DEFAULT_CACHE_SIZE = 2000;

/** The model is loaded with the first text, once, in a thread of its own. */
export function createEmbedder(options: EmbedderOptions = {}): Embedder {
  const { model, localPath, dtype = BUNDLED.dtype, pooling = BUNDLED.pooling } = options;
  const cacheSize = checkPositive("cacheSize", options.cacheSize ?? DEFAULT_CACHE_SIZE);
  if (model === undefined) {
    const spec = { ...BUNDLED, localPath: fileURLToPath(new URL("./model/", import.meta.url)) };
    const calibration = options.calibration ?? MINILM_CALIBRATION;
    const thread = new ModelThread(spec);
    // Read in a way of its own, so that its vectors are not those of the same model elsewhere.
    const id = `${nameOf(spec)}/${READING}`;
    return new ModelEmbedder({ ...spec, id, calibration, cacheSize, thread, englishOnly: true });
  }
  const dimensions = checkPositive("dimensions", options.dimensions ?? findDimensions(model, localPath));
  const spec = { model, localPath, dtype, pooling };
  const { calibration } = options;
  return new ModelEmbedder({ id: nameOf(spec), dimensions, calibration, cacheSize, thread: new ModelThread(spec) });
}

function nameOf({ model, dtype, pooling }: { model: string; dtype: string; pooling: string }): string {
  return `${model}/${dtype}/${pooling}`;
}

function findDimensions(model: string, localPath: string | undefined): number {
  const path = localPath === undefined ? undefined : join(localPath, model, "config.json");
  if (path !== undefined && existsSync(path)) {
    const config = JSON.parse(readFileSync(path, "utf8")) as { hidden_size?: number };
    if (config.hidden_size !== undefined) return config.hidden_size;
  }
  const message = `How many dimensions "${model}" has is not known here: pass { dimensions }.`;
  throw new EmbeddingsError({ code: "EMBEDDINGS_INVALID_OPTIONS", message, details: { model } });
}

function checkPositive(name: string, value: number): number {
  if (Number.isSafeInteger(value) && value > 0) return value;
  const message = `${name} has to be a whole number above 0, not ${value}.`;
  throw new EmbeddingsError({ code: "EMBEDDINGS_INVALID_OPTIONS", message, details: { name } });
}
