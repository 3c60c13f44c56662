/**
 * A binary tree of sums: draws an index with a probability in proportion to its priority, and changes a priority, in
 * log n (Schaul, Quan, Antonoglou & Silver, "Prioritized experience replay", ICLR 2016).
 */
export interface SumTree {
  readonly total: number;
  get(index: number): number;
  put(index: number, priority: number): void;
  /** The index whose share of [0, total) holds `mass`. */
  findIndex(mass: number): number;
}

export function createSumTree(capacity: number): SumTree {
  const leaves = 2 ** Math.ceil(Math.log2(Math.max(2, capacity)));
  const sums = new Float64Array(2 * leaves);
  return {
    get total() {
      return sums[1]!;
    },
    get: (index) => sums[leaves + index]!,
    put(index, priority) {
      let node = leaves + index;
      sums[node] = Number.isFinite(priority) ? Math.max(0, priority) : 0;
      // Sums are made anew, not corrected by differences: rounding would add up over a million updates.
      for (node >>= 1; node >= 1; node >>= 1) sums[node] = sums[2 * node]! + sums[2 * node + 1]!;
    },
    findIndex(mass) {
      let node = 1;
      let rest = Math.min(Math.max(0, mass), sums[1]!);
      while (node < leaves) {
        const left = sums[2 * node]!;
        // An empty right side is never entered, whatever rounding made of the rest.
        const goLeft = rest < left || sums[2 * node + 1] === 0;
        if (!goLeft) rest -= left;
        node = 2 * node + (goLeft ? 0 : 1);
      }
      return node - leaves;
    },
  };
}
