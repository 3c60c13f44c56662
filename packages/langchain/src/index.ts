export { fromLangChainTools, type FromLangChainOptions, type LangChainTool } from "./from-langchain-tools.js";
export { pmlTools, type PmlToolsOptions } from "./pml-tools.js";
