import type { CallToolResult } from "@modelcontextprotocol/client";

import { McpAdapterError } from "../error.js";

/**
 * What code gets: the structured content where there is some, the text where that is all, and else the content as MCP
 * has it. Text is never guessed to be JSON: the same tool would give now an object and now a text.
 */
export function readToolResult(tool: { server: string; name: string }, result: CallToolResult): unknown {
  if (result.isError === true) throw failed(tool, result);
  if (result.structuredContent !== undefined) return result.structuredContent;
  const [only, ...rest] = result.content;
  if (only?.type === "text" && rest.length === 0) return only.text;
  return { content: result.content };
}

const LONGEST_MESSAGE = 2000;

function failed({ server, name }: { server: string; name: string }, { content }: CallToolResult): McpAdapterError {
  const texts = content.flatMap((each) => (each.type === "text" ? [each.text] : []));
  const said = texts.join("\n").slice(0, LONGEST_MESSAGE) || "It did not say why.";
  return new McpAdapterError("MCP_TOOL_FAILED", `${name} of the server ${server} failed: ${said}`, {
    details: { server, tool: name },
  });
}
