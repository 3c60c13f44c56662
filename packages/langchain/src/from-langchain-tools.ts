import type { StructuredToolInterface } from "@langchain/core/tools";
import { toJsonSchema } from "@langchain/core/utils/json_schema";
import type { Tool, ToolAnnotations } from "@pml/core";

export interface FromLangChainOptions {
  /** First part of their ids: code calls them as `mcp.<server>.<name>({ … })`. Default `app`. */
  server?: string;
  /** By name: what LangChain has no word for, as which of them only read, or destroy. */
  annotations?: Readonly<Record<string, ToolAnnotations>>;
}

/** Tools of LangChain as tools of a memory: for `createPml({ tools })` or `pml.tools.add(...)`. */
export function fromLangChainTools(
  tools: readonly StructuredToolInterface[],
  { server = "app", annotations = {} }: FromLangChainOptions = {},
): Tool[] {
  return tools.map((tool) => {
    const { name, description, schema } = tool;
    const said = Object.hasOwn(annotations, name) ? annotations[name] : undefined;
    return {
      id: `${server}:${name}`,
      description: description === "" ? name : description,
      inputSchema: toJsonSchema(schema),
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
