import { Worker } from "node:worker_threads";

import { EmbeddingsError } from "../error.js";
import type { ModelAnswer, ModelRequest, ModelSpec } from "./protocol.js";

interface Waiting {
  resolve(data: Float32Array): void;
  reject(error: EmbeddingsError): void;
}

/** A model in a thread of its own, which starts with the first texts and never keeps the process alive by itself. */
export class ModelThread {
  readonly #spec: ModelSpec;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #nextId = 0;

  constructor(spec: ModelSpec) {
    this.#spec = spec;
  }

  run(texts: string[]): Promise<Float32Array> {
    const worker = (this.#worker ??= this.#start());
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      worker.ref();
      worker.postMessage({ id, texts } satisfies ModelRequest, []);
    });
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    this.#failAll("EMBEDDINGS_CLOSED", "The embedder was closed.");
    await worker?.terminate();
  }

  #start(): Worker {
    const file = new URL("./model-worker.js", import.meta.url);
    // Node's options of the host, such as a loader, are none of the worker's business.
    const worker = new Worker(file, { workerData: this.#spec, execArgv: [] });
    worker.unref();
    worker.on("message", (answer: ModelAnswer) => this.#settle(answer));
    // A thread that dies takes what was asked of it along; the next texts start another one.
    worker.on("error", (error) => this.#lose(worker, error.message));
    worker.on("exit", (exitCode) => this.#lose(worker, `its thread ended with ${exitCode}`));
    return worker;
  }

  #settle(answer: ModelAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if (this.#waiting.size === 0) this.#worker?.unref();
    if ("data" in answer) waiting?.resolve(answer.data);
    else waiting?.reject(new EmbeddingsError(answer.fault));
  }

  #lose(worker: Worker, reason: string): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    this.#failAll("EMBEDDINGS_MODEL_FAILED", `The model stopped: ${reason}.`);
  }

  #failAll(code: "EMBEDDINGS_CLOSED" | "EMBEDDINGS_MODEL_FAILED", message: string): void {
    for (const { reject } of this.#waiting.values()) reject(new EmbeddingsError({ code, message, details: {} }));
    this.#waiting.clear();
  }
}
