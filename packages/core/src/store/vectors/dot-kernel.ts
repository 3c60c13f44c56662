/**
 * `dots(query, row, end, bytes, out)`: the dot product of one vector with each row of a matrix, eight numbers a step in
 * two sums. Assembled from this text:
 *
 *     (loop $rows
 *       (br_if $done (i32.ge_u $row $end))
 *       (loop $cells                                  ;; $bytes is a multiple of 32
 *         sum  += load(query + i)      * load(row + i)
 *         sum2 += load(query + i + 16) * load(row + i + 16)
 *         (br_if $cells (i32.lt_u (i += 32) $bytes)))
 *       store(out, lanes of (sum + sum2), added)
 *       out += 4, row += bytes)
 */
const KERNEL =
  "AGFzbQEAAAABCQFgBX9/f39/AAIQAQRob3N0Bm1lbW9yeQIAAQMCAQAHCAEEZG90cwAACr4BAbsBAgF/AnsCQANAIAEgAk8NAf0MAAAAAAAAAAAAAAAA" +
  "AAAAACEG/QwAAAAAAAAAAAAAAAAAAAAAIQdBACEFA0AgBiAAIAVq/QAEACABIAVq/QAEAP3mAf3kASEGIAcgACAFav0ABBAgASAFav0ABBD95gH95AEh" +
  "ByAFQSBqIgUgA0kNAAsgBiAH/eQBIQYgBCAG/R8AIAb9HwGSIAb9HwIgBv0fA5KSOAIAIARBBGohBCABIANqIQEMAAsLCw==";

const PAGE_BYTES = 65_536;
const STEP = 8;

interface Memory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** As much of it as is used here: the types of Node leave it to those of browsers. */
const { WebAssembly: wasm } = globalThis as unknown as {
  WebAssembly: {
    Memory: new (size: { initial: number }) => Memory;
    Module: new (bytes: Uint8Array) => object;
    Instance: new (module: object, imports: { host: { memory: Memory } }) => { exports: Record<string, unknown> };
  };
};

type Dots = (...places: [query: number, row: number, end: number, bytes: number, out: number]) => void;

/** Rows of numbers in memory that the kernel reads. Grows; rows are addressed by their place. */
export class Matrix {
  /** Numbers a row takes: the dimensions, rounded up to what the kernel reads at a step. */
  readonly #stride: number;
  readonly #memory = new wasm.Memory({ initial: 1 });
  readonly #dots: Dots;
  #rows = 0;

  constructor(dimensions: number) {
    this.#stride = Math.ceil(dimensions / STEP) * STEP;
    const module = new wasm.Module(Buffer.from(KERNEL, "base64"));
    const { exports } = new wasm.Instance(module, { host: { memory: this.#memory } });
    this.#dots = exports["dots"] as Dots;
  }

  /** With these as its rows, all of one length. */
  static of(vectors: readonly Float32Array[]): Matrix {
    const matrix = new Matrix(vectors[0]?.length ?? 0);
    for (const [row, vector] of vectors.entries()) matrix.set(row, vector);
    return matrix;
  }

  get rows(): number {
    return this.#rows;
  }

  set(row: number, vector: Float32Array): void {
    this.#rows = Math.max(this.#rows, row + 1);
    this.#reserve();
    this.#numbers().set(vector, this.#offset(row));
  }

  /** A view of a row, with what pads it; good until the next call. */
  get(row: number): Float32Array {
    return this.#numbers().subarray(this.#offset(row), this.#offset(row + 1));
  }

  /** Makes the last row take the place of another. */
  moveLast(row: number): void {
    const last = this.#offset(--this.#rows);
    this.#numbers().copyWithin(this.#offset(row), last, last + this.#stride);
  }

  /** A view of the kernel's memory, good until the next call. */
  multiply(vector: Float32Array): Float32Array {
    if (this.#rows === 0) return new Float32Array();
    this.#reserve();
    this.#numbers().set(vector, 0);
    const [row, end] = [this.#offset(0) * 4, this.#offset(this.#rows) * 4];
    this.#dots(0, row, end, this.#stride * 4, end);
    return new Float32Array(this.#memory.buffer, end, this.#rows);
  }

  /** The query stands first, then the rows, then room for one result a row. */
  #offset(row: number): number {
    return (row + 1) * this.#stride;
  }

  #reserve(): void {
    const needed = (this.#offset(this.#rows) + this.#rows) * 4;
    const missing = needed - this.#memory.buffer.byteLength;
    // Half as much again, so that growing row by row copies little.
    if (missing > 0) this.#memory.grow(Math.ceil((missing + needed / 2) / PAGE_BYTES));
  }

  #numbers(): Float32Array {
    return new Float32Array(this.#memory.buffer);
  }
}
