export { type ContractCase, type CreateEmbedder, embedderContract } from "./testing/embedder-contract.js";
