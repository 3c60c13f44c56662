import { hashFeatures } from "./hash-embedder.js";
import { LANGUAGES } from "./languages.js";

/** To be changed with anything here that changes vectors: those of two readings are never compared. */
export const READING = "reading-1";

/** What a model of English makes of a text: it reads it, knows its letters but not its language, or knows neither. */
export type Reading = { kind: "english" } | { kind: "foreign"; language: string } | { kind: "unreadable" };

const ENGLISH_WORDS = new Set(
  (
    "the a an of to in on for and or is are was be it this that with from by at as i you he she we they my your me " +
    "what how which who when where can could would please find get show make all some not do does have has if into"
  ).split(" "),
);
const LANGUAGE_WORDS = Object.entries(LANGUAGES).map(([name, { words }]) => [name, new Set(words.split(" "))] as const);
/** One foreign word is a name or a quotation. */
const LEAST_WORDS = 2;

/** By its script, then by its small words: text that has none of them is taken for English, as commands often are. */
export function readText(text: string): Reading {
  const letters = text.match(/\p{L}/gu) ?? [];
  const latin = letters.filter((letter) => /\p{Script=Latin}/u.test(letter)).length;
  if (letters.length > 2 * latin) return { kind: "unreadable" };
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const english = words.filter((word) => ENGLISH_WORDS.has(word)).length;
  let [language, most] = ["", Math.max(english, LEAST_WORDS - 1)];
  for (const [name, known] of LANGUAGE_WORDS) {
    const found = words.filter((word) => known.has(word)).length;
    if (found > most) [language, most] = [name, found];
  }
  return language === "" ? { kind: "english" } : { kind: "foreign", language };
}

/** Half of it: all of it would take away what the requests of a language share in meaning too. */
const LANGUAGE_SHARE = 0.5;

/** The vector without what it owes to its language, which would bring every text of it to the same few neighbours. */
export function withoutLanguage(vector: Float32Array, centre: Float32Array): Float32Array {
  return normalise(vector.map((value, index) => value - LANGUAGE_SHARE * (centre[index] ?? 0)));
}

export function average(vectors: readonly Float32Array[]): Float32Array {
  const sum = new Float32Array(vectors[0]?.length ?? 0);
  for (const vector of vectors) for (const [index, value] of vector.entries()) sum[index] = (sum[index] ?? 0) + value;
  return sum.map((value) => value / vectors.length);
}

/** Shares of what two texts have in common and of what is the text's alone: no two texts come nearer than 0.64. */
const ALIKE = 0.8;
const ALONE = 0.6;

/**
 * For scripts that the model reads as one unknown word after another, so that all texts would be the same to it. Such a
 * text is found again by its own words, but only the same text counts as the same request.
 */
export function hashUnreadable(text: string, dimensions: number): Float32Array {
  const compact = text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim();
  const characters = [...compact];
  const pairs = characters.slice(1).map((character, index) => `${characters[index]}${character}`);
  const alike = hashFeatures(pairs.length > 0 ? pairs : [compact], dimensions);
  // Enough features that two texts hardly share any of them.
  const alone = hashFeatures(
    Array.from({ length: 64 }, (_, index) => `${index}\n${compact}`),
    dimensions,
  );
  return normalise(alike.map((value, index) => ALIKE * value + ALONE * (alone[index] ?? 0)));
}

function normalise(vector: Float32Array): Float32Array {
  const norm = Math.hypot(...vector);
  return norm === 0 ? vector : vector.map((value) => value / norm);
}
