import type { Fault } from "../error.js";

/** What the thread of the model is told once, when it starts. */
export interface ModelSpec {
  /** A folder under `localPath`, or the name of a model to download where there is no `localPath`. */
  model: string;
  localPath?: string | undefined;
  dtype: string;
  pooling: "mean" | "cls";
}

export interface ModelRequest {
  id: number;
  texts: string[];
}

/** The vectors one after the other in `data`, or why there are none. */
export type ModelAnswer = { id: number; data: Float32Array } | { id: number; fault: Fault };
