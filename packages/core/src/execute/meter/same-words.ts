import { listContentWords } from "../../discover/words.js";

const VALUE = /^\p{N}+$/u;

/** The same for texts that say the same: without the order of words, their endings, numbers, quotes and what says nothing. */
export function sameWords(text: string): string {
  const words = listContentWords(text.replaceAll(/"[^"]*"|`[^`]*`/g, " ")).filter((word) => !VALUE.test(word));
  return words.length > 0 ? words.sort().join(" ") : text.trim().toLowerCase();
}
