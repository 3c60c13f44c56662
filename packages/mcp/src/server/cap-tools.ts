import type { Tool as McpTool } from "@modelcontextprotocol/server";
import type { Capability, ExecuteAnswer, ListedCapability } from "@pml/core";

import { readCapabilityTool, toCapabilityTool } from "./cap-names.js";
import { EXECUTE_ANSWER } from "./execute-answer.js";
import { runOptions } from "./pml-tools.js";
import type { StdCall, StdContext } from "./std-tool.js";

const ALL = 10_000;

/** Named capabilities as tools, by name. */
export async function listCapabilityTools(
  context: StdContext,
  page: { limit: number; offset: number },
): Promise<McpTool[]> {
  const listed = await context.names.listCapabilities({ namedOnly: true, sortBy: "name", ...page });
  const tools = await Promise.all(listed.map((each) => describe(context, each)));
  return tools.flatMap((tool) => tool ?? []);
}

/** What cannot be called is not offered: it has gone meanwhile, or is not what was stored. */
async function describe(context: StdContext, { name, description }: ListedCapability): Promise<McpTool | undefined> {
  try {
    const { capability } = await context.names.resolve(name);
    return {
      name: toCapabilityTool(name),
      title: name,
      description: `${description}\n\nA learned capability; in code: ${spell(name)}(args).`,
      inputSchema: { type: "object", ...(capability.parameters as object | undefined) } as McpTool["inputSchema"],
      outputSchema: EXECUTE_ANSWER as McpTool["outputSchema"],
      annotations: { title: name, ...readHints(context, capability) },
      _meta: { "pml/name": `cap:${name}` },
    };
  } catch {
    return undefined;
  }
}

/** Never more than its tools say of themselves. */
function readHints({ pml }: StdContext, { toolsUsed }: Capability): McpTool["annotations"] {
  const hints = toolsUsed.map((id) => pml.tools.find(id)?.annotations ?? {});
  return {
    readOnlyHint: hints.every(({ readOnlyHint }) => readOnlyHint === true),
    destructiveHint: hints.some(({ destructiveHint }) => destructiveHint === true),
  };
}

function spell(name: string): string {
  return /^[a-z][a-z0-9]*:\w+$/.test(name) ? `capabilities.${name.replace(":", ".")}` : `capabilities["${name}"]`;
}

/** The capability that a caller means by the name of a tool. */
export async function findCapabilityName({ names }: StdContext, tool: string): Promise<string | undefined> {
  const decoded = readCapabilityTool(tool);
  if (decoded === undefined || "name" in decoded) return decoded?.name;
  const listed = await names.listCapabilities({ namedOnly: true, limit: ALL });
  return listed.find(({ name }) => toCapabilityTool(name) === decoded.hashed)?.name;
}

export function runCapability(name: string, { args, ...call }: StdCall): Promise<ExecuteAnswer> {
  return call.pml.execute({ capability: name, args, ...runOptions(call) });
}

/** By its name of today. What is no capability is not counted: whoever calls makes such names up, and they would stay. */
export async function findUsageId(
  { names }: StdContext,
  { answer, called }: { answer: object; called: string },
): Promise<string | undefined> {
  const { capabilityName } = answer as { capabilityName?: string };
  if (capabilityName !== undefined) return `cap:${capabilityName}`;
  // A run that has not begun does not say whose it is.
  const known = await names.resolve(called).catch(() => undefined);
  return known && `cap:${known.name}`;
}
