import type { Calibration } from "./calibration.js";

export interface EmbedOptions {
  signal?: AbortSignal;
}

/**
 * Turns texts into vectors. What is stored carries the `id`: vectors of two embedders are never compared, so an embedder
 * whose vectors change has to change its id.
 */
export interface Embedder {
  readonly id: string;
  readonly dimensions: number;
  /** One vector of length 1 for each text, in order. The caller may keep and change them. */
  embed(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array[]>;
  /** What a cosine of two of its vectors means; without one, a cosine only ranks. */
  readonly calibration?: Calibration | undefined;
  /** Frees what `embed` has loaded; safe to call twice. */
  close?(): Promise<void>;
}
