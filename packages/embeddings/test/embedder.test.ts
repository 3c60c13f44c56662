import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { createEmbedder, type Embedder } from "@pml/embeddings";
import { afterAll, describe, expect, it } from "vitest";

const embedder = createEmbedder();
afterAll(() => embedder.close?.());

describe("the bundled embedder", () => {
  it("puts texts of like meaning together", async () => {
    const [a, b, c] = await embedder.embed(["weather in Lyon tomorrow", "forecast for Lyon", "send an invoice"]);
    expect(dot(a, b)).toBeGreaterThan(dot(a, c) + 0.3);
  });

  it("leaves the event loop free while it computes", async () => {
    await embedder.embed(["warm"]);
    let longestMs = 0;
    let last = performance.now();
    const timer = setInterval(() => {
      longestMs = Math.max(longestMs, performance.now() - last);
      last = performance.now();
    }, 1);
    const started = performance.now();
    await embedder.embed(Array.from({ length: 100 }, (_, index) => `find flight ${index} ${"to Paris ".repeat(20)}`));
    clearInterval(timer);
    expect(longestMs).toBeLessThan((performance.now() - started) / 2);
  });

  it("computes whatever options Node was started with", () => {
    const script = `import { createEmbedder } from "@pml/embeddings"; await createEmbedder().embed(["text"]);`;
    const options = { cwd: import.meta.dirname, timeout: 30_000 };
    expect(() => execFileSync(process.execPath, ["--input-type=module", "-e", script], options)).not.toThrow();
  });

  it("says so when its signal aborts", async () => {
    const signal = AbortSignal.abort();
    await expect(embedder.embed(["never seen"], { signal })).rejects.toMatchObject({ code: "EMBEDDINGS_ABORTED" });
  });

  it("is not the same as its model elsewhere, which does not read other languages as it does", async () => {
    const other = createEmbedder({ model: "all-MiniLM-L6-v2", localPath: tmpdir(), dimensions: 384 });
    expect(other.id).not.toBe(embedder.id);
    await other.close?.();
  });

  it("refuses work once closed, and closes twice", async () => {
    const other = createEmbedder();
    await other.close?.();
    await other.close?.();
    await expect(other.embed(["text"])).rejects.toMatchObject({ code: "EMBEDDINGS_CLOSED" });
  });
});

const TWO_WAYS_OUT = /install @huggingface\/transformers.*Embedder of your own/;

describe("what does not load", () => {
  it("says the two ways out for a model that is not there", async () => {
    const other = createEmbedder({ model: "nothing", localPath: tmpdir(), dimensions: 3 });
    await expect(other.embed(["text"])).rejects.toMatchObject({
      code: "EMBEDDINGS_MODEL_NOT_LOADED",
      message: expect.stringMatching(TWO_WAYS_OUT),
    });
    await other.close?.();
  });

  it("says the two ways out where transformers is not installed", async () => {
    const home = mkdtempSync(join(tmpdir(), "pml-embeddings-"));
    mkdirSync(join(home, "node_modules"));
    symlinkSync(join(process.cwd(), "node_modules/lru-cache"), join(home, "node_modules/lru-cache"));
    cpSync("packages/embeddings/dist", join(home, "dist"), { recursive: true });
    cpSync("packages/embeddings/package.json", join(home, "package.json"));
    const copy = (await import(pathToFileURL(join(home, "dist/index.js")).href)) as { createEmbedder(): Embedder };
    const lonely = copy.createEmbedder();
    await expect(lonely.embed(["text"])).rejects.toMatchObject({
      code: "EMBEDDINGS_TRANSFORMERS_MISSING",
      message: expect.stringMatching(TWO_WAYS_OUT),
    });
    await lonely.close?.();
    rmSync(home, { recursive: true });
  });

  it.each([{ model: "other" }, { cacheSize: 0 }, { model: "other", dimensions: 1.5 }])("refuses %j", (options) => {
    expect(() => createEmbedder(options)).toThrow(expect.objectContaining({ code: "EMBEDDINGS_INVALID_OPTIONS" }));
  });
});

function dot(a: Float32Array | undefined, b: Float32Array | undefined): number {
  return [...(a ?? [])].reduce((sum, value, index) => sum + value * (b?.[index] ?? 0), 0);
}
