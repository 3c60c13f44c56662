import { toJsonSchema } from "@langchain/core/utils/json_schema";
import type { Tool, ToolAnnotations, ToolContext } from "@pml/core";

/** What is used of a tool of LangChain. Its own types refuse some of its own tools under `exactOptionalPropertyTypes`. */
export interface LangChainTool {
  name: string;
  description: string;
  /** Of zod, or a JSON Schema. */
  schema: unknown;
  invoke(input: unknown, config?: ToolContext): Promise<unknown>;
}

export interface FromLangChainOptions {
  /** First part of their ids: code calls them as `mcp.<server>.<name>({ … })`. Default `app`. */
  server?: string;
  /** By name: what LangChain has no word for, as which of them only read, or destroy. */
  annotations?: Readonly<Record<string, ToolAnnotations>>;
}

/** Tools of LangChain as tools of a memory: for `createPml({ tools })` or `pml.tools.add(...)`. */
export function fromLangChainTools(
  tools: readonly LangChainTool[],
  { server = "app", annotations = {} }: FromLangChainOptions = {},
): Tool[] {
  return tools.map((tool) => {
    const { name, description, schema } = tool;
    const said = Object.hasOwn(annotations, name) ? annotations[name] : undefined;
    return {
      id: `${server}:${name}`,
      description: description === "" ? name : description,
      inputSchema: toJsonSchema(schema as Parameters<typeof toJsonSchema>[0]),
      ...(said !== undefined && { annotations: said }),
      execute: async (args, { signal }) => readOutput(await tool.invoke(args, { signal })),
    };
  });
}

/** What the tool said, where it comes as a message. */
function readOutput(output: unknown): unknown {
  const { lc_id: id, content } = (output ?? {}) as { lc_id?: unknown; content?: unknown };
  return Array.isArray(id) && id.at(-1) === "ToolMessage" ? content : output;
}
