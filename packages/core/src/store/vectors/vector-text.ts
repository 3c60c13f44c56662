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

/** Rounding aside, a vector has length 1. */
const TOLERANCE = 1e-3;

/** An embedder is the host's: what it gives is checked before it can spoil every search, and brought to length 1. */
export function checkVectors(
  vectors: unknown,
  { dimensions, count }: { dimensions: number; count: number },
): Float32Array[] {
  if (!Array.isArray(vectors) || vectors.length !== count)
    throw invalidInput(`The embedder gave something else than ${count} vectors.`);
  return vectors.map((vector: unknown) => checkVector(vector, dimensions));
}

function checkVector(vector: unknown, dimensions: number): Float32Array {
  const isVector = vector instanceof Float32Array && vector.length === dimensions && vector.every(Number.isFinite);
  if (!isVector)
    throw invalidInput(`The embedder gave something else than ${dimensions} finite numbers.`, { dimensions });
  const length = Math.hypot(...vector);
  if (!(length > 0 && Number.isFinite(length))) throw invalidInput("The embedder gave a vector without a direction.");
  return Math.abs(length - 1) < TOLERANCE ? vector : vector.map((value) => value / length);
}
