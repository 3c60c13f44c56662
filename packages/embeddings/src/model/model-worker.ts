// The model computes on the thread that calls it and would hold up the host's event loop, so it has a thread of its own.
import { parentPort, workerData } from "node:worker_threads";

import { EmbeddingsError, type Fault } from "../error.js";
import { loadPipeline } from "./load-pipeline.js";
import type { ModelAnswer, ModelRequest, ModelSpec } from "./protocol.js";

const loading = loadPipeline(workerData as ModelSpec);
// Whoever asks gets the error; without this line, a model that fails before anyone asks would end the thread.
loading.catch(() => {});

parentPort?.on("message", (request: ModelRequest) => void answer(request));

async function answer({ id, texts }: ModelRequest): Promise<void> {
  try {
    const embed = await loading;
    const data = await embed(texts);
    send({ id, data }, [data.buffer as ArrayBuffer]);
  } catch (error) {
    send({ id, fault: describe(error) });
  }
}

function send(message: ModelAnswer, transfer: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transfer);
}

function describe(error: unknown): Fault {
  if (error instanceof EmbeddingsError) return { code: error.code, message: error.message, details: error.details };
  const reason = error instanceof Error ? error.message : String(error);
  return {
    code: "EMBEDDINGS_MODEL_FAILED",
    message: `The model failed on these texts: ${reason}`,
    details: { reason },
  };
}
