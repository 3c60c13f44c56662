import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from "@modelcontextprotocol/client";

import { McpAdapterError } from "../error.js";
import type { Conceal } from "./secrets.js";

interface Call {
  server: string;
  name: string;
  timeoutMs: number;
  conceal: Conceal;
}

const LOST: ReadonlySet<unknown> = new Set([
  SdkErrorCode.ConnectionClosed,
  SdkErrorCode.NotConnected,
  SdkErrorCode.SendFailed,
]);

/** The server is gone, as against: it answered, and the answer was no. */
export function isConnectionLost(error: unknown): boolean {
  if (error instanceof SdkHttpError) return true;
  if (error instanceof SdkError) return LOST.has(error.code);
  return error instanceof TypeError && error.message === "fetch failed";
}

/** What went wrong with a call, in our words, without the secrets of its server. */
export function explainCallError(error: unknown, call: Call): McpAdapterError {
  const { server, name, timeoutMs, conceal } = call;
  const details = { server, tool: name };
  const reason = conceal(error instanceof Error ? error.message : String(error));
  if (error instanceof McpAdapterError)
    return new McpAdapterError(error.code, reason, { details: conceal(error.details) });
  if (isConnectionLost(error)) {
    const message = `The server ${server} went away while ${name} ran; it may or may not have happened. It is being connected again.`;
    return new McpAdapterError("MCP_SERVER_UNAVAILABLE", message, { details: { ...details, reason } });
  }
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) {
    const message = `The server ${server} did not answer ${name} within ${timeoutMs} ms. Ask for less, or give it a larger timeoutMs.`;
    return new McpAdapterError("MCP_TOOL_TIMEOUT", message, { details: { ...details, timeoutMs } });
  }
  if (error instanceof ProtocolError && !isAboutResult(reason))
    return new McpAdapterError("MCP_TOOL_FAILED", `The server ${server} refused ${name}: ${reason}`, { details });
  const message = `What the server ${server} answered for ${name} is not what it says it answers: ${reason}`;
  return new McpAdapterError("MCP_RESULT_INVALID", message, { details });
}

/** The SDK uses one class for what the server said and for what it found in the answer itself. */
function isAboutResult(reason: string): boolean {
  return /output schema|structured content/i.test(reason);
}
