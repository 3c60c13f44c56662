import { LRUCache } from "lru-cache";

import { planBatches } from "./batches.js";
import type { Calibration } from "./calibration.js";
import type { Embedder, EmbedOptions } from "./embedder.js";
import { EmbeddingsError } from "./error.js";
import { average, hashUnreadable, type Reading, readText, withoutLanguage } from "./foreign-text.js";
import { LANGUAGES } from "./languages.js";
import type { ModelThread } from "./model/model-thread.js";
import { cleanTexts } from "./texts.js";

export interface ModelEmbedderParts {
  id: string;
  dimensions: number;
  calibration?: Calibration | undefined;
  thread: ModelThread;
  /** How many vectors of texts seen before are kept. */
  cacheSize: number;
  /** The model knows English and no other language: texts of others are read as `readText` says. */
  englishOnly?: boolean;
}

/** An embedder over a model: asks it only for texts it has not seen lately, in batches. */
export class ModelEmbedder implements Embedder {
  readonly id: string;
  readonly dimensions: number;
  readonly calibration?: Calibration | undefined;
  readonly #thread: ModelThread;
  readonly #seen: LRUCache<string, Float32Array>;
  readonly #centres = new Map<string, Promise<Float32Array>>();
  readonly #read: (text: string) => Reading;
  #closed = false;

  constructor(parts: ModelEmbedderParts) {
    const { id, dimensions, calibration, thread, cacheSize, englishOnly = false } = parts;
    this.#read = englishOnly ? readText : () => ({ kind: "english" });
    this.id = id;
    this.dimensions = dimensions;
    this.calibration = calibration;
    this.#thread = thread;
    this.#seen = new LRUCache({ max: cacheSize });
  }

  async embed(texts: readonly string[], { signal }: EmbedOptions = {}): Promise<Float32Array[]> {
    const cleaned = cleanTexts(texts);
    const vectors = new Map(cleaned.map((text) => [text, this.#seen.get(text)]));
    const missing = [...vectors].filter(([, vector]) => vector === undefined).map(([text]) => text);
    for (const [text, vector] of await this.#embedMissing(missing, signal)) {
      vectors.set(text, vector);
      this.#seen.set(text, vector);
    }
    return cleaned.map((text) => (vectors.get(text) as Float32Array).slice());
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#seen.clear();
    await this.#thread.close();
  }

  async #embedMissing(texts: readonly string[], signal: AbortSignal | undefined): Promise<[string, Float32Array][]> {
    this.#checkOpen(signal);
    const readings = new Map(texts.map((text) => [text, this.#read(text)]));
    const readable = texts.filter((text) => readings.get(text)?.kind !== "unreadable");
    const vectors = new Map<string, Float32Array>();
    for (const batch of planBatches(readable)) {
      const batchTexts = batch.map((index) => readable[index] as string);
      for (const [text, vector] of await this.#embedBatch(batchTexts, signal)) vectors.set(text, vector);
    }
    return Promise.all(
      texts.map(async (text): Promise<[string, Float32Array]> => {
        const reading = readings.get(text);
        const vector = vectors.get(text) ?? hashUnreadable(text, this.dimensions);
        if (reading?.kind !== "foreign") return [text, vector];
        return [text, withoutLanguage(vector, await this.#findCentre(reading.language))];
      }),
    );
  }

  /** What the vectors of a language have in common; asked of the model with the first text of it. */
  #findCentre(language: string): Promise<Float32Array> {
    const known = this.#centres.get(language);
    if (known !== undefined) return known;
    const requests = [...(LANGUAGES[language]?.requests ?? [])];
    const centre = this.#embedBatch(requests, undefined).then((pairs) => average(pairs.map(([, vector]) => vector)));
    this.#centres.set(language, centre);
    // One that failed is tried again with the next text.
    centre.catch(() => this.#centres.delete(language));
    return centre;
  }

  async #embedBatch(texts: string[], signal: AbortSignal | undefined): Promise<[string, Float32Array][]> {
    this.#checkOpen(signal);
    const data = await this.#thread.run(texts);
    this.#checkOpen(signal);
    if (data.length !== texts.length * this.dimensions) throw wrongDimensions(this, data.length / texts.length);
    return texts.map((text, row) => {
      return [text, data.slice(row * this.dimensions, (row + 1) * this.dimensions)];
    });
  }

  #checkOpen(signal: AbortSignal | undefined): void {
    if (this.#closed) {
      throw new EmbeddingsError({ code: "EMBEDDINGS_CLOSED", message: "The embedder was closed.", details: {} });
    }
    if (signal?.aborted) {
      const fault = {
        code: "EMBEDDINGS_ABORTED",
        message: "Embedding was aborted by its signal.",
        details: {},
      } as const;
      throw new EmbeddingsError(fault, { cause: signal.reason });
    }
  }
}

function wrongDimensions({ id, dimensions }: Embedder, found: number): EmbeddingsError {
  const message = `The model of ${id} gives ${found} dimensions, not ${dimensions}: pass { dimensions: ${found} }.`;
  return new EmbeddingsError({ code: "EMBEDDINGS_INVALID_OPTIONS", message, details: { found, dimensions } });
}
