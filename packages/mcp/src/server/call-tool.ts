import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/server/validators/ajv";
import { toJson } from "@pml/core";

import { McpAdapterError } from "../error.js";
import { findCapabilityName, findUsageId, runCapability } from "./cap-tools.js";
import { findReplacement } from "./old-tools.js";
import { createReporter } from "./progress.js";
import { type StdCall, type StdContext, type StdTool, storeOf } from "./std-tool.js";
import { fromWire, toWire } from "./wire.js";

/** One way of calling: its id in `tool_usage`, if it has one, and what it does. */
interface Door {
  usageId: (answer: object) => string | undefined | Promise<string | undefined>;
  run: (call: StdCall) => Promise<object>;
}

export interface Caller {
  context: StdContext;
  tools: ReadonlyMap<string, StdTool>;
  warn: (message: string, details: Record<string, unknown>) => void;
}

const DEEPEST = 200;

/** Answers one call. What goes wrong with it is part of the answer, for the model to read. */
export async function callTool(
  { context, tools, warn }: Caller,
  { name, arguments: given = {} }: { name: string; arguments?: Record<string, unknown> | undefined },
  server: ServerContext,
): Promise<CallToolResult> {
  const door = await findDoor({ context, tools }, name);
  await context.ready;
  const { onEvent, end } = createReporter(server);
  const startedAt = performance.now();
  const call = { ...context, args: given, signal: server.mcpReq.signal, onEvent };
  const answer = await answerFor(() => (checkDepth(name, given), door.run(call)));
  end();
  const [success, durationMs] = [!isFailure(answer), performance.now() - startedAt];
  try {
    const toolId = await door.usageId(answer);
    if (toolId !== undefined) await storeOf(context).observeToolUse({ toolId, success, durationMs });
  } catch (error) {
    warn("A call was not counted.", { reason: (error as Error).message });
  }
  return describe(answer, success);
}

async function findDoor({ context, tools }: Pick<Caller, "context" | "tools">, name: string): Promise<Door> {
  const tool = tools.get(name);
  if (tool !== undefined)
    return { usageId: () => tool.id, run: (call) => tool.run({ ...call, args: checkArgs(tool, call.args) }) };
  const replaced = findReplacement(name);
  if (replaced !== undefined) return { usageId: () => name.replace("_", ":"), run: () => Promise.reject(replaced) };
  const capability = await findCapabilityName(context, name);
  if (capability === undefined)
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `Unknown tool: ${name.slice(0, 200)}. Ask tools/list, or pml_discover.`,
    );
  return {
    usageId: (answer) => findUsageId(context, { answer, called: capability }),
    run: (call) => runCapability(capability, call),
  };
}

const validators = new WeakMap<StdTool, ReturnType<AjvJsonSchemaValidator["getValidator"]>>();

function checkArgs(tool: StdTool, args: Record<string, unknown>): Record<string, unknown> {
  const validate = validators.get(tool) ?? new AjvJsonSchemaValidator().getValidator(tool.input);
  validators.set(tool, validate);
  const { valid, errorMessage } = validate(args);
  if (valid) return fromWire(args) as Record<string, unknown>;
  const message = `The arguments of ${tool.id} are not what its schema asks for: ${errorMessage}.`;
  throw new McpAdapterError("MCP_INVALID_ARGUMENTS", message, { details: { tool: tool.id } });
}

function checkDepth(name: string, args: unknown): void {
  if (!isDeeper(args, DEEPEST)) return;
  const message = `The arguments of ${name} are nested deeper than ${DEEPEST} levels.`;
  throw new McpAdapterError("MCP_INVALID_ARGUMENTS", message, { details: { tool: name } });
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((each) => isDeeper(each, levels - 1));
}

async function answerFor(run: () => Promise<object>): Promise<object> {
  try {
    return await run();
  } catch (error) {
    const { code, message, details } = error as Partial<McpAdapterError>;
    // Without a code it is a fault of ours, not of the caller: the protocol has a place for that.
    if (typeof code !== "string" || !/^[A-Z]+_[A-Z_]+$/.test(code)) throw error;
    return { status: "error", error: { code, message, details: details ?? {} } };
  }
}

function isFailure(answer: object): boolean {
  return (answer as { status?: string }).status === "error";
}

/** As data for those who read it, and as text for those who do not. */
function describe(answer: object, success: boolean): CallToolResult {
  const structuredContent = toJson(toWire(answer)) as Record<string, unknown>;
  return {
    content: [{ type: "text", text: JSON.stringify(structuredContent) }],
    structuredContent,
    ...(!success && { isError: true }),
  };
}
