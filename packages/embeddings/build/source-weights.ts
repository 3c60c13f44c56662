import { readFileSync } from "node:fs";
import { join } from "node:path";

interface Entry {
  name: string;
  shape: number[];
  dtype: string;
  quantization?: { min: number; scale: number };
}

/** A tensor as the source keeps it: one byte a number, `value = byte * scale + min`. */
export interface SourceTensor {
  shape: readonly number[];
  bytes: Uint8Array;
  min: number;
  scale: number;
}

export type FindTensor = (name: string) => SourceTensor;

const WIDTHS: Record<string, number> = { int32: 4, float32: 4 };

/** Reads a TensorFlow.js graph model whose weights lie in one file. */
export function readSourceWeights(folder: string): FindTensor {
  const model = JSON.parse(readFileSync(join(folder, "model.json"), "utf8")) as {
    weightsManifest: [{ paths: [string]; weights: Entry[] }];
  };
  const [{ paths, weights }] = model.weightsManifest;
  const file = readFileSync(join(folder, paths[0]));
  const tensors = new Map<string, SourceTensor>();
  let offset = 0;
  for (const { name, shape, dtype, quantization } of weights) {
    const count = shape.reduce((product, size) => product * size, 1);
    const length = count * (quantization ? 1 : (WIDTHS[dtype] ?? 1));
    if (quantization) tensors.set(name, { shape, bytes: file.subarray(offset, offset + length), ...quantization });
    offset += length;
  }
  return (name) => {
    const tensor = tensors.get(name);
    if (tensor === undefined) throw new Error(`The source model has no tensor "${name}".`);
    return tensor;
  };
}

export function decode({ bytes, min, scale }: SourceTensor): Float32Array {
  return Float32Array.from(bytes, (byte) => byte * scale + min);
}

/** Which byte stands for zero; the source rounds its scales so that one does. */
export function zeroPoint({ min, scale }: SourceTensor): number {
  return Math.round(-min / scale);
}
