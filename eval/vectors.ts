import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createEmbedder } from "@pml/embeddings";

const FOLDER = join(tmpdir(), "pml-eval-vectors");

/** The bundled model's vectors of these texts; kept outside the project, for the next evaluation to read. */
export async function embedAll(name: string, texts: readonly string[]): Promise<Float32Array[]> {
  await using embedder = disposable();
  const key = createHash("sha256").update(embedder.id).update(JSON.stringify(texts)).digest("hex").slice(0, 16);
  const path = join(FOLDER, `${name}-${key}.f32`);
  if (existsSync(path)) return split(readFileSync(path), embedder.dimensions);
  const vectors = await embedder.embed(texts);
  mkdirSync(FOLDER, { recursive: true });
  const joined = new Float32Array(texts.length * embedder.dimensions);
  for (const [row, vector] of vectors.entries()) joined.set(vector, row * embedder.dimensions);
  writeFileSync(path, new Uint8Array(joined.buffer));
  return vectors;
}

function disposable(): ReturnType<typeof createEmbedder> & AsyncDisposable {
  const embedder = createEmbedder();
  return Object.assign(embedder, { [Symbol.asyncDispose]: async () => embedder.close?.() });
}

function split(file: Buffer, dimensions: number): Float32Array[] {
  const all = new Float32Array(file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength));
  return Array.from({ length: all.length / dimensions }, (_, row) =>
    all.subarray(row * dimensions, (row + 1) * dimensions),
  );
}
