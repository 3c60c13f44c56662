import { Matrix } from "./dot-kernel.js";

export interface Match {
  id: string;
  /** Cosine, as vectors have unit length. */
  cosine: number;
}

/** Vectors by id, searched exactly. */
export class ExactIndex {
  readonly #dimensions: number;
  readonly #matrix: Matrix;
  readonly #ids: string[] = [];
  readonly #places = new Map<string, number>();

  constructor(dimensions: number) {
    this.#dimensions = dimensions;
    this.#matrix = new Matrix(dimensions);
  }

  get size(): number {
    return this.#ids.length;
  }

  put(id: string, vector: Float32Array): void {
    if (vector.length !== this.#dimensions)
      throw new RangeError(`A vector of ${vector.length} numbers, not ${this.#dimensions}.`);
    const place = this.#places.get(id) ?? this.#ids.length;
    this.#matrix.set(place, vector);
    this.#ids[place] = id;
    this.#places.set(id, place);
  }

  delete(id: string): void {
    const place = this.#places.get(id);
    if (place === undefined) return;
    const last = this.#ids.pop();
    this.#places.delete(id);
    this.#matrix.moveLast(place);
    if (last === undefined || last === id) return;
    this.#ids[place] = last;
    this.#places.set(last, place);
  }

  /** The nearest `limit`, nearest first; equal ones in order of their ids, so that pages are stable. */
  search(vector: Float32Array, limit: number): Match[] {
    const cosines = this.#matrix.multiply(vector);
    const places = pickLargest(cosines, Math.min(limit, this.size));
    const matches = places.map((place) => ({ id: this.#ids[place] ?? "", cosine: cosines[place] ?? 0 }));
    return matches.sort((a, b) => b.cosine - a.cosine || (a.id < b.id ? -1 : 1));
  }
}

/** Places of the `count` largest values: a binary heap with the smallest of them on top. */
function pickLargest(values: Float32Array, count: number): number[] {
  const heap: number[] = [];
  const at = (place: number): number => values[heap[place] ?? 0] ?? 0;
  for (let index = 0; index < values.length; index++) {
    if (heap.length < count) {
      heap.push(index);
      siftUp(heap, at);
    } else if (count > 0 && (values[index] ?? 0) > at(0)) {
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
