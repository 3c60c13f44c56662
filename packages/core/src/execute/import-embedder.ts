import type { Embedder } from "@pml/embeddings";

import { PmlError } from "../model/error.js";

/** The embedder is a peer: a host that brings its own need not install ours. */
export async function importEmbedder(): Promise<Embedder> {
  try {
    const { createEmbedder } = (await import("@pml/embeddings" as string)) as { createEmbedder: () => Embedder };
    return createEmbedder();
  } catch (error) {
    const message = "There is no embedder: install @pml/embeddings, or pass one as `embedder`.";
    throw new PmlError("PML_EMBEDDER", message, { cause: error });
  }
}
