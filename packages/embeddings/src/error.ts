/** Every code an `EmbeddingsError` can have; `docs/errors.md` says what to do about each. */
export const EMBEDDINGS_ERROR_CODES = [
  "EMBEDDINGS_ABORTED",
  "EMBEDDINGS_CLOSED",
  "EMBEDDINGS_INVALID_OPTIONS",
  "EMBEDDINGS_INVALID_PAIRS",
  "EMBEDDINGS_INVALID_TEXT",
  "EMBEDDINGS_MODEL_FAILED",
  "EMBEDDINGS_MODEL_NOT_LOADED",
  "EMBEDDINGS_TRANSFORMERS_MISSING",
] as const;

export type EmbeddingsErrorCode = (typeof EMBEDDINGS_ERROR_CODES)[number];

/** An error as data, as it crosses from the thread of the model. */
export interface Fault {
  code: EmbeddingsErrorCode;
  message: string;
  /** JSON. */
  details: Record<string, unknown>;
}

export class EmbeddingsError extends Error {
  override readonly name = "EmbeddingsError";
  readonly code: EmbeddingsErrorCode;
  readonly details: Record<string, unknown>;

  constructor({ code, message, details }: Fault, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.details = details;
  }
}
