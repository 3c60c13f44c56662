import { EmbeddingsError } from "./error.js";

/** More than any model here reads, and little enough that a text of megabytes costs no more than a page. */
const MAX_CHARACTERS = 10_000;

/** Checks what cannot be embedded, and mends what can: a lone surrogate or a NUL would reach the tokenizer as garbage. */
export function cleanTexts(texts: readonly unknown[]): string[] {
  if (!Array.isArray(texts)) throw invalidText("embed takes an array of strings.", { type: typeof texts });
  return texts.map((text, index) => {
    if (typeof text === "string") return cleanText(text);
    throw invalidText(`Text ${index} is ${describe(text)}, not a string.`, { index });
  });
}

function cleanText(text: string): string {
  return text
    .slice(0, MAX_CHARACTERS)
    .replace(/\p{Surrogate}/gu, "\uFFFD")
    .replaceAll("\0", " ");
}

function invalidText(message: string, details: Record<string, unknown>): EmbeddingsError {
  return new EmbeddingsError({ code: "EMBEDDINGS_INVALID_TEXT", message, details });
}

function describe(value: unknown): string {
  return value === null ? "null" : typeof value;
}
