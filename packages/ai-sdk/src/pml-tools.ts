import { type AgentMemory, type AgentTool, type AgentToolsOptions, listAgentTools } from "@pml/core";
import { jsonSchema, type Tool, tool } from "ai";

/** A tool of the AI SDK, by the name that a model calls it by. */
type PmlToolSet = Record<string, Tool<Record<string, unknown>, unknown>>;

/** A memory as tools for `generateText`, `streamText` and agents. Ask again when names have changed. */
export async function pmlTools(pml: AgentMemory, options: AgentToolsOptions = {}): Promise<PmlToolSet> {
  const tools = await listAgentTools(pml, options);
  return Object.fromEntries(tools.map((each) => [each.name, toAiSdkTool(each)]));
}

function toAiSdkTool({ description, inputSchema, asksPerson, call }: AgentTool): PmlToolSet[string] {
  return tool({
    description,
    inputSchema: jsonSchema<Record<string, unknown>>(inputSchema),
    // The SDK then ends the turn and asks whoever sits in front of it: a model cannot approve what it wants to do.
    needsApproval: asksPerson,
    execute: (input, { abortSignal }) => call(input, abortSignal === undefined ? {} : { signal: abortSignal }),
  });
}
