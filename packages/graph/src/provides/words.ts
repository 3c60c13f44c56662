const NOISE = new Set([
  "the",
  "a",
  "an",
  "of",
  "for",
  "to",
  "in",
  "get",
  "new",
  "current",
  "my",
  "your",
  "input",
  "output",
]);
const LONGEST_NAME = 200;

/** The words of a name, however it joins them, in the singular: `homePageIds` is home, page, id. */
export function wordsOf(name: string): string[] {
  const spaced = name
    .slice(0, LONGEST_NAME)
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .toLowerCase();
  const words = spaced.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
  const telling = words.filter((word) => !NOISE.has(word));
  return (telling.length > 0 ? telling : words).map(singular);
}

function singular(word: string): string {
  if (word.length <= 3 || /(ss|us|is|news|series)$/.test(word)) return word;
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (/(ches|shes|xes|sses)$/.test(word)) return word.slice(0, -2);
  return word.endsWith("s") ? word.slice(0, -1) : word;
}
