export { fromAiSdkTools, type FromAiSdkOptions } from "./from-ai-sdk-tools.js";
export { pmlTools } from "./pml-tools.js";
