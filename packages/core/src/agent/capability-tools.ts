import type { Capability } from "../model/capability.js";
import {
  type AgentMemory,
  type AgentToolDefinition,
  type AgentToolsOptions,
  DEFAULT_AGENT_TOOLS,
} from "./agent-tool.js";

/** Each named capability that works, as a tool of its own. */
export async function listCapabilityTools(
  pml: AgentMemory,
  { scope = {}, capabilities = DEFAULT_AGENT_TOOLS.capabilities, namespace, conversation }: AgentToolsOptions,
): Promise<AgentToolDefinition[]> {
  if (capabilities === 0) return [];
  const listed = await pml.names.withScope(scope).listCapabilities({
    namedOnly: true,
    sortBy: "usage",
    limit: capabilities,
    ...(namespace !== undefined && { namespace }),
  });
  const store = pml.store.withScope(scope);
  const found = await Promise.all(listed.map(async ({ id, name }) => ({ name, capability: await store.find(id) })));
  return found.flatMap(({ name, capability }) =>
    capability?.status === "active" ? [describe(pml, { name, capability, scope, conversation })] : [],
  );
}

interface Described {
  name: string;
  capability: Capability;
  scope: NonNullable<AgentToolsOptions["scope"]>;
  conversation: string | undefined;
}

function describe(pml: AgentMemory, { name, capability, scope, conversation }: Described): AgentToolDefinition {
  const given = { scope, ...(conversation !== undefined && { conversation }) };
  return {
    id: `cap:${name}`,
    description: `${capability.description ?? capability.intent}\n\nA procedure that has worked before.`,
    inputSchema: { properties: {}, ...(capability.parameters as object | undefined), type: "object" },
    readOnly: false,
    asksPerson: false,
    run: (args, options) => pml.execute({ ...given, ...options, capability: name, args }),
  };
}
