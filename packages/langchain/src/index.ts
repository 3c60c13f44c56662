export { fromLangChainTools, type FromLangChainOptions } from "./from-langchain-tools.js";
export { pmlTools, type PmlToolsOptions } from "./pml-tools.js";
