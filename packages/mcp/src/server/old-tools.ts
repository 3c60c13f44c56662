import { McpAdapterError } from "../error.js";

/** Names of an earlier interface, and what does the same now. They are not listed. */
const REPLACED: Readonly<Record<string, string>> = {
  pml_search_tools: 'pml_discover({ intent, filter: { type: "tool" } })',
  pml_search_capabilities: 'pml_discover({ intent, filter: { type: "capability" } })',
  pml_find_capabilities: 'pml_discover({ intent, filter: { type: "capability" } })',
  pml_execute_dag: "pml_execute({ intent, dag })",
  pml_execute_code: "pml_execute({ intent, code })",
};

export function findReplacement(name: string): McpAdapterError | undefined {
  const instead = Object.hasOwn(REPLACED, name) ? REPLACED[name] : undefined;
  if (instead === undefined) return undefined;
  const message = `${name} is no more. Call ${instead} instead.`;
  return new McpAdapterError("MCP_TOOL_REPLACED", message, { details: { tool: name, instead } });
}
