import type * as Transformers from "@huggingface/transformers";

import { EmbeddingsError, type EmbeddingsErrorCode } from "../error.js";
import type { ModelSpec } from "./protocol.js";

const WAYS_OUT =
  "Either install @huggingface/transformers and a model it can load, or pass an Embedder of your own where one is asked for.";

export type Pipeline = (texts: string[]) => Promise<Float32Array>;

/** Loads the model, or says what is missing and the two ways out. */
export async function loadPipeline(spec: ModelSpec): Promise<Pipeline> {
  const { env, pipeline } = await importTransformers();
  env.allowRemoteModels = spec.localPath === undefined;
  if (spec.localPath !== undefined) env.localModelPath = spec.localPath;
  try {
    const extract = await pipeline("feature-extraction", spec.model, { dtype: spec.dtype as "q8" });
    return async (texts) => {
      const tensor = await extract(texts, { pooling: spec.pooling, normalize: true });
      return Float32Array.from(tensor.data as Float32Array);
    };
  } catch (cause) {
    const where = spec.localPath === undefined ? "" : ` from ${spec.localPath}`;
    throw fail("EMBEDDINGS_MODEL_NOT_LOADED", `The model "${spec.model}" did not load${where}`, { cause, spec });
  }
}

async function importTransformers(): Promise<typeof Transformers> {
  try {
    return await import("@huggingface/transformers");
  } catch (cause) {
    const missing = (cause as { code?: string }).code === "ERR_MODULE_NOT_FOUND";
    const what = missing ? "@huggingface/transformers is not installed" : "@huggingface/transformers did not start";
    throw fail("EMBEDDINGS_TRANSFORMERS_MISSING", what, { cause });
  }
}

function fail(code: EmbeddingsErrorCode, what: string, { cause, spec }: { cause: unknown; spec?: ModelSpec }): Error {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const details = { reason, ...(spec && { model: spec.model, dtype: spec.dtype }) };
  return new EmbeddingsError({ code, message: `${what} (${reason}). ${WAYS_OUT}`, details }, { cause });
}
