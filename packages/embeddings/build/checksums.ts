/** sha256 of each file of the bundled model. */
export const CHECKSUMS: Readonly<Record<string, string>> = {
  "config.json": "ce1d01439fb8d6c4bf1a42f16087d39e6391fb73d96317666c28d5ad3914b1c5",
  "onnx/model_quantized.onnx": "18bf7032f23db490ed390a0d66992059871b3981d10fa060ae7440d6f1b5888b",
  "tokenizer.json": "805f60d34aeb5d5ff8160dbb24c0ed60637b81a9a46ce887dc69ec31e25fb4c2",
  "tokenizer_config.json": "f9018166cb32e8f67e43e1f7a4d901eef309367d21dc989e9b0b4fa4957bae5c",
};
