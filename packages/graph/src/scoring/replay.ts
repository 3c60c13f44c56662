import type { SeededRandom } from "./random.js";
import { createSumTree } from "./sum-tree.js";

/** A ring of experiences, drawn the more often the more there was to learn from them (Schaul et al., 2016). */
export interface Replay<Item> {
  readonly size: number;
  observe(item: Item): void;
  draw(random: SeededRandom, beta: number): Drawn<Item>;
  /** What the item still surprised by, when it was last learned from. */
  putSurprise(index: number, surprise: number): void;
  snapshot(): ReplaySnapshot<Item>;
}

interface Drawn<Item> {
  index: number;
  item: Item;
  /** In (0, 1]: undoes, as far as `beta` says, that some are drawn more often than they happened. */
  weight: number;
}

export interface ReplaySnapshot<Item> {
  next: number;
  items: readonly Item[];
  priorities: readonly number[];
}

const ALPHA = 0.6;
const LEAST_SURPRISE = 0.01;

export function createReplay<Item>(capacity: number, snapshot?: ReplaySnapshot<Item>): Replay<Item> {
  const tree = createSumTree(capacity);
  const items: Item[] = [...(snapshot?.items ?? [])];
  let next = snapshot?.next ?? 0;
  for (const [index, priority] of (snapshot?.priorities ?? []).entries()) tree.put(index, priority);
  return {
    get size() {
      return items.length;
    },
    observe(item) {
      items[next] = item;
      // As if it could not surprise more, so that each is drawn soon after it came.
      tree.put(next, 1);
      next = (next + 1) % capacity;
    },
    draw(random, beta) {
      const index = Math.min(items.length - 1, tree.findIndex(random.next() * tree.total));
      // (1 / (N · P))^β over the largest it could be, that of the least priority there can be.
      const weight = (LEAST_SURPRISE ** ALPHA / Math.max(tree.get(index), LEAST_SURPRISE ** ALPHA)) ** beta;
      return { index, item: items[index] as Item, weight };
    },
    putSurprise: (index, surprise) => tree.put(index, Math.min(1, Math.abs(surprise) + LEAST_SURPRISE) ** ALPHA),
    snapshot: () => ({ next, items: [...items], priorities: items.map((_, index) => tree.get(index)) }),
  };
}
