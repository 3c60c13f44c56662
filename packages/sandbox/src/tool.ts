import { invalidOptions } from "./error.js";
import { isReservedName } from "./names.js";
import type { ClockReading } from "./recording.js";

/** Something code can call as `mcp.server.name(args)`. */
export interface Tool {
  /** `server:name`. */
  id: string;
  annotations?: ToolAnnotations;
  /** Given a copy of the arguments; what it returns is copied as well. */
  call(args: unknown, context: ToolCallContext): unknown;
}

/** What a tool says of itself. Nothing said counts as having side effects. */
export interface ToolAnnotations {
  readOnlyHint?: boolean;
  destructiveHint?: boolean;
}

export interface ToolCallContext {
  /** Aborts if the run ends before the tool does. */
  signal: AbortSignal;
  traceId: string;
  parentTraceId: string;
  /** Which step of the code this is, with its turn of every loop, as `/n1/n3[0.2]`; the same in a replay. */
  path: string;
  /** What the code read from the clock since its last call: kept call by call, it is the recording of a run that was cut off. */
  clock: readonly ClockReading[];
}

/** The server of capabilities: `mcp.cap["namespace:action"](args)`. */
export const CAPABILITY_SERVER = "cap";

/** Tools by id. Throws for ids that code could not call, or that mean something else. */
export function indexTools(tools: readonly Tool[]): Map<string, Tool> {
  const index = new Map<string, Tool>();
  for (const tool of tools) {
    const [server = "", ...rest] = tool.id.split(":");
    const name = rest.join(":");
    if (server === "" || name === "") throw invalidOptions(`"${tool.id}" is not a tool id: write "server:name".`);
    if (server === CAPABILITY_SERVER) throw invalidOptions(`"${tool.id}": the server "cap" is that of capabilities.`);
    if (isReservedName(server) || isReservedName(name))
      throw invalidOptions(`"${tool.id}": the language uses this name itself; give the tool another.`);
    if (index.has(tool.id)) throw invalidOptions(`There are two tools "${tool.id}".`);
    index.set(tool.id, tool);
  }
  return index;
}
