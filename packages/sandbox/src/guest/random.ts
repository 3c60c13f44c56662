/**
 * Random numbers in [0, 1) that follow from a seed of 32 hexadecimal digits: xoshiro128** (Blackman and Vigna, 2018).
 * Not for secrets: who knows the seed knows them all, and that is what makes a run repeatable.
 */
export function createRandom(seed: string): () => number {
  let state: Uint32Array | undefined;
  return () => {
    state ??= createState(seed);
    const high = next(state) >>> 5;
    const low = next(state) >>> 6;
    return (high * 2 ** 26 + low) / 2 ** 53;
  };
}

/** A `Math` with `random` of our own. What is behind it is the one of compartments, which has none. */
export function createMath(random: () => number): Math {
  const { Math: shared } = new Compartment().globalThis as { Math: Math };
  return Object.freeze(Object.create(shared, { random: { value: () => random() } }) as Math);
}

function createState(seed: string): Uint32Array {
  const state = new Uint32Array(4).map((_, index) => Number.parseInt(seed.slice(index * 8, index * 8 + 8), 16));
  // All zero is the one state it cannot leave.
  if (state.every((word) => word === 0)) state[0] = 1;
  return state;
}

function next(state: Uint32Array): number {
  const [a = 0, b = 0, c = 0, d = 0] = state;
  const result = Math.imul(rotate(Math.imul(b, 5), 7), 9) >>> 0;
  const [x, y] = [c ^ a, d ^ b];
  state[0] = a ^ y;
  state[1] = b ^ x;
  state[2] = x ^ (b << 9);
  state[3] = rotate(y, 11);
  return result;
}

function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}
