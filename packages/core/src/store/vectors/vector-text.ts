import { invalidInput } from "../../model/error.js";

/** A vector as pgvector reads it. */
export function writeVector(vector: Float32Array): string {
  return `[${vector.join(",")}]`;
}

/** What `vector_send` gives: two 16-bit numbers, the first of them the dimensions, and big-endian floats. */
export function readVector(bytes: Uint8Array): Float32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const vector = new Float32Array(view.getInt16(0));
  for (let index = 0; index < vector.length; index++) vector[index] = view.getFloat32(4 + index * 4);
  return vector;
}

/** An embedder is the host's: what it gives is checked before it can spoil every search. */
export function checkVector(vector: unknown, dimensions: number): Float32Array {
  const ok = vector instanceof Float32Array && vector.length === dimensions && vector.every(Number.isFinite);
  if (ok) return vector;
  throw invalidInput(`The embedder gave something else than ${dimensions} finite numbers.`, { dimensions });
}
