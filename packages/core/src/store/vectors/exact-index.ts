import { Matrix } from "./dot-kernel.js";

export interface Match {
  id: string;
  /** Cosine, as vectors have unit length. */
  cosine: number;
}

/** Vectors by id, searched exactly; each in a group, so that a search can leave whole groups out. */
export class ExactIndex {
  readonly #dimensions: number;
  readonly #matrix: Matrix;
  readonly #ids: string[] = [];
  readonly #places = new Map<string, number>();
  /** For each place, the number of its group. */
  readonly #groups: number[] = [];
  readonly #groupNumbers = new Map<string, number>();
  readonly #groupSizes: number[] = [];

  constructor(dimensions: number) {
    this.#dimensions = dimensions;
    this.#matrix = new Matrix(dimensions);
  }

  get size(): number {
    return this.#ids.length;
  }

  put(id: string, vector: Float32Array, group = ""): void {
    if (vector.length !== this.#dimensions)
      throw new RangeError(`A vector of ${vector.length} numbers, not ${this.#dimensions}.`);
    const known = this.#places.get(id);
    const place = known ?? this.#ids.length;
    if (known !== undefined) this.#countIn(known, -1);
    this.#matrix.set(place, vector);
    this.#ids[place] = id;
    this.#places.set(id, place);
    this.#groups[place] = this.#numberOf(group);
    this.#countIn(place, 1);
  }

  delete(id: string): void {
    const place = this.#places.get(id);
    if (place === undefined) return;
    this.#countIn(place, -1);
    const last = this.#ids.pop();
    const lastGroup = this.#groups.pop();
    this.#places.delete(id);
    this.#matrix.moveLast(place);
    if (last === undefined || lastGroup === undefined || last === id) return;
    this.#ids[place] = last;
    this.#groups[place] = lastGroup;
    this.#places.set(last, place);
  }

  find(id: string): Float32Array | undefined {
    const place = this.#places.get(id);
    return place === undefined ? undefined : this.#matrix.get(place).slice(0, this.#dimensions);
  }

  /** How many there are in the groups that are let in. */
  count(letsIn: (group: string) => boolean): number {
    return [...this.#groupNumbers].reduce(
      (sum, [group, number]) => sum + (letsIn(group) ? (this.#groupSizes[number] ?? 0) : 0),
      0,
    );
  }

  /** The nearest `limit`, nearest first; equal ones in order of their ids, so that pages are stable. */
  search(vector: Float32Array, limit: number, letsIn: (group: string) => boolean = () => true): Match[] {
    const open = Uint8Array.from(this.#groupNumbers.keys(), (group) => (letsIn(group) ? 1 : 0));
    const isOpen = (place: number): boolean => open[this.#groups[place] ?? 0] === 1;
    const cosines = this.#matrix.multiply(vector);
    const places = pickLargest(cosines, Math.min(limit, this.size), isOpen);
    const matches = places.map((place) => ({ id: this.#ids[place] ?? "", cosine: cosines[place] ?? 0 }));
    return matches.sort((a, b) => b.cosine - a.cosine || (a.id < b.id ? -1 : 1));
  }

  #numberOf(group: string): number {
    const number = this.#groupNumbers.get(group) ?? this.#groupNumbers.size;
    this.#groupNumbers.set(group, number);
    return number;
  }

  #countIn(place: number, by: number): void {
    const group = this.#groups[place] ?? 0;
    this.#groupSizes[group] = (this.#groupSizes[group] ?? 0) + by;
  }
}

/** Places of the `count` largest values that are open: a binary heap with the smallest of them on top. */
export function pickLargest(
  values: Float32Array | Float64Array,
  count: number,
  isOpen: (place: number) => boolean = () => true,
): number[] {
  const heap: number[] = [];
  const at = (place: number): number => values[heap[place] ?? 0] ?? 0;
  for (let index = 0; index < values.length; index++) {
    if (heap.length < count) {
      if (!isOpen(index)) continue;
      heap.push(index);
      siftUp(heap, at);
    } else if (count > 0 && (values[index] ?? 0) > at(0) && isOpen(index)) {
      heap[0] = index;
      siftDown(heap, at);
    }
  }
  return heap;
}

function siftUp(heap: number[], at: (place: number) => number): void {
  for (let place = heap.length - 1; place > 0;) {
    const parent = (place - 1) >> 1;
    if (at(parent) <= at(place)) return;
    swap(heap, place, parent);
    place = parent;
  }
}

function siftDown(heap: number[], at: (place: number) => number): void {
  for (let place = 0; ;) {
    let least = place;
    for (const child of [2 * place + 1, 2 * place + 2]) if (child < heap.length && at(child) < at(least)) least = child;
    if (least === place) return;
    swap(heap, place, least);
    place = least;
  }
}

function swap(heap: number[], a: number, b: number): void {
  [heap[a], heap[b]] = [heap[b] ?? 0, heap[a] ?? 0];
}
