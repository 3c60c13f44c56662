import { toSafeToolName } from "../names/safe-tool-name.js";
import type { AgentMemory, AgentTool, AgentToolsOptions } from "./agent-tool.js";
import { listCapabilityTools } from "./capability-tools.js";
import { createEntryTools } from "./entry-tools.js";
import { toFailure, toJson } from "./json-answer.js";

/** What adapters offer to models: the two entry points, what belongs to them, and every named capability. */
export async function listAgentTools(pml: AgentMemory, options: AgentToolsOptions = {}): Promise<AgentTool[]> {
  const definitions = [...createEntryTools(pml, options), ...(await listCapabilityTools(pml, options))];
  return definitions.map(({ run, ...definition }) => ({
    ...definition,
    name: toSafeToolName(definition.id),
    async call(args, { signal, ...rest } = {}) {
      signal?.throwIfAborted();
      try {
        return toJson(await run(checkArguments(args), { ...rest, ...(signal !== undefined && { signal }) }));
      } catch (error) {
        signal?.throwIfAborted();
        return toFailure(error);
      }
    },
  }));
}

/** A model may send anything; what it leaves out is left out. */
function checkArguments(args: unknown): Record<string, unknown> {
  if (typeof args !== "object" || args === null || Array.isArray(args)) return {};
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined && value !== null));
}
