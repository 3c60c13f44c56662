import { DynamicStructuredTool } from "@langchain/core/tools";
import { type AgentMemory, type AgentTool, type AgentToolsOptions, listAgentTools } from "@pml/core";

export interface PmlToolsOptions extends AgentToolsOptions {
  /**
   * Offer `pml_approve` too. LangChain runs what a model calls: put it behind `humanInTheLoopMiddleware`, or the model
   * approves what it wants to do. Default false.
   */
  approve?: boolean;
}

/** A memory as structured tools, for agents and graphs. Ask again when names have changed. */
export async function pmlTools(
  pml: AgentMemory,
  { approve = false, ...options }: PmlToolsOptions = {},
): Promise<DynamicStructuredTool[]> {
  const tools = await listAgentTools(pml, options);
  return tools.filter(({ asksPerson }) => approve || !asksPerson).map(toStructuredTool);
}

function toStructuredTool({ name, description, inputSchema, call }: AgentTool): DynamicStructuredTool {
  return new DynamicStructuredTool({
    name,
    description,
    schema: inputSchema,
    // What a model is shown is text; made here, it is JSON whatever the version.
    func: async (input: unknown, _, config) => {
      const signal = config?.signal;
      return JSON.stringify(await call(input, signal === undefined ? {} : { signal }));
    },
  });
}
