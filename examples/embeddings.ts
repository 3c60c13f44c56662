// The shortest use of the embeddings. The region is the example that READMEs show.
import assert from "node:assert/strict";

// #region readme
import { calibrate, createEmbedder } from "@pml/embeddings";

const embedder = createEmbedder();
const [asked = [], same = [], other = []] = await embedder.embed([
  "What will the weather be tomorrow in Lyon?",
  "Get the forecast for Lyon",
  "Send an invoice to a customer",
]);
let [near, far] = [0, 0];
for (const [index, value] of asked.entries()) near += value * (same[index] ?? 0);
for (const [index, value] of asked.entries()) far += value * (other[index] ?? 0);

console.log(near > far); // true, and all that a cosine says by itself
if (embedder.calibration) console.log(calibrate(embedder.calibration, near)); // how likely both ask for the same
await embedder.close?.();
// #endregion

assert(near > far);
