// An embedder of your own, here one that asks an API. A small server of this process stands in for it.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createHashEmbedder } from "@pml/embeddings";

const hashing = createHashEmbedder({ dimensions: 256 });
const api = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { input } = JSON.parse(Buffer.concat(chunks).toString()) as { input: string[] };
  const vectors = await hashing.embed(input);
  response.end(JSON.stringify({ data: vectors.map((vector) => ({ embedding: [...vector] })) }));
}).listen(0, "127.0.0.1");
await new Promise((resolve) => void api.once("listening", resolve));
const url = `http://127.0.0.1:${(api.address() as AddressInfo).port}/v1/embeddings`;

// #region embedder
import { createPml } from "@pml/core";
import { calibrate, type Embedder, fitCalibration } from "@pml/embeddings";

function createApiEmbedder(model: string, calibration?: Embedder["calibration"]): Embedder {
  return {
    id: `my-api/${model}`, // another one, and all that is stored is embedded anew
    dimensions: 256,
    calibration,
    async embed(texts, { signal } = {}) {
      if (texts.length === 0) return [];
      if (!texts.every((text) => typeof text === "string")) throw new TypeError("Texts are strings.");
      const body = JSON.stringify({ model, input: texts });
      const response = await fetch(url, { method: "POST", body, ...(signal && { signal }) });
      if (!response.ok) throw new Error(`The embeddings API answered ${response.status}.`);
      const { data } = (await response.json()) as { data: { embedding: number[] }[] };
      return data.map(({ embedding }) => new Float32Array(embedding));
    },
  };
}
// #endregion

// #region contract
import { embedderContract } from "@pml/embeddings/testing";

for (const { name, verify } of embedderContract) {
  await verify(() => createApiEmbedder("small"));
  console.log(`✓ ${name}`);
}
// #endregion

// #region calibrate
// What a cosine of it means is measured, on requests of your own.
const requests = [
  ["add up the prices of an order", "the sum of all prices of an order"],
  ["send a reminder to a customer", "write a customer a reminder"],
  ["read the notes of today", "today's notes, please"],
  ["weather in a city", "what is the weather in this city"],
  ["make a picture smaller", "make this picture a smaller one"],
  ["list open tickets", "which tickets are open"],
];
const embedder = createApiEmbedder("small");
const vectors = await embedder.embed(requests.flat());
const pairs = vectors.flatMap((a, i) =>
  vectors.slice(0, i).map((b, j) => ({
    cosine: a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0),
    same: Math.floor(i / 2) === Math.floor(j / 2),
  })),
);
const calibration = fitCalibration(pairs, "six requests of ours, in two wordings each");
// #endregion
for (const cosine of [0.1, 0.4, 0.8])
  console.log(`A cosine of ${cosine} means the same with probability ${calibrate(calibration, cosine).toFixed(2)}`);
assert(calibrate(calibration, 0.8) > 0.5 && calibrate(calibration, 0.1) < 0.1);

const folder = await mkdtemp(join(tmpdir(), "pml-embedder-"));
const dataDir = join(folder, "memory");
const code = "return prices.reduce((sum, price) => sum + price, 0);";
const intent = "add up the prices of an order";
// #region use
const pml = await createPml({ dataDir, embedder: createApiEmbedder("small", calibration) });
await pml.execute({ intent, code, context: { prices: [3, 4] } });
await pml.execute({ intent: "greet somebody", code: "return 'Hello ' + who;", context: { who: "Ada" } });
const { results } = await pml.discover({ intent: "the sum of all prices of this order" });
// #endregion
const again = await pml.execute({ intent, context: { prices: [5, 6] } });
assert(again.status === "success" && again.result === 11);
assert(results[0]?.type === "capability" && results[0].intent === intent);
console.log(`Found first, for other words: "${intent}", meant with probability ${results[0].match.toFixed(2)}`);
await pml.close();

// #region change
const { createEmbedder } = await import("@pml/embeddings");
const changed = await createPml({
  dataDir,
  embedder: createEmbedder(),
  onReembed: ({ done, total }) => console.log(`Embedded anew: ${done} of ${total}`),
});
// #endregion
const after = await changed.execute({ intent, context: { prices: [7, 8] } });
assert(after.status === "success" && after.result === 15);
console.log(`With the bundled model, it still knows how to: ${after.result}`);
await changed.close();
api.close();
await rm(folder, { recursive: true });
