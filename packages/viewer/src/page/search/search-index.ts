/** Something to be found, and the texts it is found by. */
export interface Entry<Found> {
  found: Found;
  /** Its name, and other names it had. */
  names: readonly string[];
  /** What it was asked for, or what it says of itself. */
  words: string;
}

interface Prepared<Found> {
  found: Found;
  names: readonly string[];
  nameParts: readonly string[];
  words: readonly string[];
}

export type SearchIndex<Found> = (query: string, limit: number) => Found[];

/** How much each way to match says; every word that is asked for must match in one of them. */
const [EXACT, NAME, PART_OF_NAME, WORD, WITHIN] = [100, 12, 8, 5, 1];

export function createSearchIndex<Found>(entries: readonly Entry<Found>[]): SearchIndex<Found> {
  const prepared = entries.map(prepare);
  return (query, limit) => {
    const text = query.trim().toLowerCase();
    const asked = split(text);
    if (asked.length === 0) return [];
    return prepared
      .map((entry, at) => ({ entry, at, score: rate(entry, text, asked) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || a.at - b.at)
      .slice(0, limit)
      .map(({ entry }) => entry.found);
  };
}

function prepare<Found>({ found, names, words }: Entry<Found>): Prepared<Found> {
  const lower = names.map((name) => name.toLowerCase());
  return { found, names: lower, nameParts: lower.flatMap(split), words: split(words.toLowerCase()) };
}

function rate(entry: Prepared<unknown>, text: string, asked: readonly string[]): number {
  if (entry.names.includes(text)) return EXACT;
  const scores = asked.map((word) => rateWord(entry, word));
  return scores.includes(0) ? 0 : scores.reduce((sum, score) => sum + score, 0);
}

function rateWord({ names, nameParts, words }: Prepared<unknown>, word: string): number {
  if (names.some((name) => name.startsWith(word))) return NAME;
  if (nameParts.some((part) => part.startsWith(word))) return PART_OF_NAME;
  if (words.some((each) => each.startsWith(word))) return WORD;
  return names.some((name) => name.includes(word)) || words.some((each) => each.includes(word)) ? WITHIN : 0;
}

function split(text: string): string[] {
  return text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
}
