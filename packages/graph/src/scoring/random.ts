/** Numbers that follow from a seed, and whose state can be kept: mulberry32 (T. Ettinger, 2017). */
export interface SeededRandom {
  next(): number;
  readonly state: number;
}

export function createRandom(seed: number): SeededRandom {
  let state = seed | 0;
  return {
    next() {
      state = (state + 0x6d2b79f5) | 0;
      let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    },
    get state() {
      return state;
    },
  };
}
