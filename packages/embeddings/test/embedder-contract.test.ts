import { createEmbedder, createHashEmbedder } from "@pml/embeddings";
import { embedderContract } from "@pml/embeddings/testing";
import { describe, expect, it } from "vitest";

describe.each([
  ["bundled", () => createEmbedder()],
  ["hash", () => createHashEmbedder()],
])("the %s embedder", (_, create) => {
  it.each(embedderContract)("$name", async ({ verify }) => {
    await expect(verify(create)).resolves.toBeUndefined();
  });
});
