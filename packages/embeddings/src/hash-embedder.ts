import type { Embedder } from "./embedder.js";
import { cleanTexts } from "./texts.js";

const DEFAULT_DIMENSIONS = 64;

/**
 * Words hashed into dimensions: the same vector for the same text on every machine, at once. Texts that share words are
 * alike and nothing else is, which is what a unit test wants and a user does not.
 */
export function createHashEmbedder({ dimensions = DEFAULT_DIMENSIONS }: { dimensions?: number } = {}): Embedder {
  return {
    id: `hash-${dimensions}`,
    dimensions,
    embed: async (texts) => cleanTexts(texts).map((text) => hashText(text, dimensions)),
  };
}

function hashText(text: string, dimensions: number): Float32Array {
  // A text without words still needs a direction: the one of the empty word.
  return hashFeatures(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [""], dimensions);
}

/** A vector of length 1: each feature adds to or takes from one dimension. */
export function hashFeatures(features: readonly string[], dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions);
  for (const feature of features) {
    const hash = hashWord(feature);
    const index = hash % dimensions;
    vector[index] = (vector[index] ?? 0) + (hash & 0x80000000 ? -1 : 1);
  }
  return normalise(vector);
}

/** FNV-1a. */
function hashWord(word: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < word.length; index++) hash = Math.imul(hash ^ word.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

/** Words that cancel each other out leave no direction either. */
function normalise(vector: Float32Array): Float32Array {
  const norm = Math.hypot(...vector);
  if (norm === 0) vector[0] = 1;
  return vector.map((value) => (norm === 0 ? value : value / norm));
}
