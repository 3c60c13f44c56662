export {
  connectMcpServers,
  type ConnectOptions,
  DEFAULT_CONNECT,
  type McpServers,
  type ServerStatus,
} from "./client/connect-mcp-servers.js";
export { type Backoff, DEFAULT_BACKOFF } from "./client/backoff.js";
export type { ConnectionState } from "./client/connection.js";
export type {
  ConnectableServer,
  HttpServerConfig,
  InMemoryServerConfig,
  McpServerConfig,
  McpServersConfig,
  StdioServerConfig,
  TransportServerConfig,
} from "./client/server-config.js";
export type { Variables } from "./client/variables.js";
export { MCP_ERROR_CODES, McpAdapterError, type McpErrorCode } from "./error.js";
export { createMcpServer, DEFAULT_PAGE_SIZE, type McpServerOptions } from "./server/create-mcp-server.js";
