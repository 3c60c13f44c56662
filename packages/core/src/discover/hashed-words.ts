/** Weighted words as places in a vector of this many numbers (Weinberger et al., 2009); clashes cancel out on average. */
export function hashWords(words: ReadonlyMap<string, number>, size: number): (readonly [at: number, value: number])[] {
  return [...words].map(([word, weight]) => {
    const hash = hashOf(word);
    return [hash % size, hash & 0x10000 ? weight : -weight] as const;
  });
}

/** FNV-1a. */
function hashOf(word: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
