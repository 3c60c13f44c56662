/** Every code an `McpAdapterError` can have; `docs/errors.md` says what to do about each. */
export const MCP_ERROR_CODES = [
  "MCP_CLOSED",
  "MCP_CONFIG_INVALID",
  "MCP_CONNECT_FAILED",
  "MCP_INVALID_ARGUMENTS",
  "MCP_RESULT_INVALID",
  "MCP_SERVER_UNAVAILABLE",
  "MCP_TOOL_FAILED",
  "MCP_TOOL_REPLACED",
  "MCP_TOOL_TIMEOUT",
] as const;

export type McpErrorCode = (typeof MCP_ERROR_CODES)[number];

export class McpAdapterError extends Error {
  override readonly name = "McpAdapterError";
  readonly code: McpErrorCode;
  /** JSON. */
  readonly details: Record<string, unknown>;

  constructor(code: McpErrorCode, message: string, options: ErrorOptions & { details?: Record<string, unknown> } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details ?? {};
  }
}
