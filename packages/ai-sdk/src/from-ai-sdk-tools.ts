import { randomUUID } from "node:crypto";

import { PmlError, type Tool, type ToolAnnotations } from "@pml/core";
import { asSchema, type Schema, type ToolSet } from "ai";

export interface FromAiSdkOptions {
  /** First part of their ids: code calls them as `mcp.<server>.<name>({ … })`. Default `app`. */
  server?: string;
  /** By name: what the SDK has no word for, as which of them only read. */
  annotations?: Readonly<Record<string, ToolAnnotations>>;
}

type AiSdkTool = ToolSet[string];

/** Tools of the AI SDK as tools of a memory: for `createPml({ tools })` or `pml.tools.add(...)`. */
export async function fromAiSdkTools(
  tools: ToolSet,
  { server = "app", annotations = {} }: FromAiSdkOptions = {},
): Promise<Tool[]> {
  return Promise.all(
    Object.entries(tools).map(([name, tool]) => {
      const said = Object.hasOwn(annotations, name) ? annotations[name] : undefined;
      return toPmlTool(`${server}:${name}`, tool, said);
    }),
  );
}

async function toPmlTool(id: string, tool: AiSdkTool, annotations: ToolAnnotations | undefined): Promise<Tool> {
  const run = tool.execute;
  if (run === undefined)
    throw new PmlError("PML_INVALID_INPUT", `The tool ${id} has no execute: it cannot run here. Leave it out.`);
  const schema = asSchema(tool.inputSchema as Schema<unknown>);
  return {
    id,
    description: tool.description ?? tool.title ?? id,
    inputSchema: await schema.jsonSchema,
    ...(tool.outputSchema !== undefined && { outputSchema: await asSchema(tool.outputSchema as Schema).jsonSchema }),
    ...(annotations !== undefined && { annotations }),
    // Whether it needs approval may hang on its input, which is not known before a run: then it is asked for.
    ...(isAsked(tool) && { approval: "required" }),
    async execute(args, { signal }) {
      const input: unknown = await validate(id, schema, args);
      const options = { toolCallId: randomUUID(), messages: [], abortSignal: signal };
      return takeLast(await (run as (input: unknown, options: object) => unknown)(input, options));
    },
  };
}

function isAsked({ needsApproval }: AiSdkTool): boolean {
  return needsApproval !== undefined && needsApproval !== false;
}

/** The tool's own schema fills in defaults and converts; a JSON Schema cannot. */
async function validate(id: string, schema: Schema<unknown>, args: unknown): Promise<unknown> {
  const checked = await schema.validate?.(args);
  if (checked === undefined) return args;
  if (checked.success) return checked.value;
  const message = `The input of ${id} is not what its schema asks for: ${checked.error.message}`;
  throw new PmlError("PML_INVALID_ARGUMENTS", message, { cause: checked.error, details: { tool: id } });
}

/** A tool may stream what it has so far; what counts is the last of it. */
async function takeLast(output: unknown): Promise<unknown> {
  if (typeof output !== "object" || output === null || !(Symbol.asyncIterator in output)) return output;
  let last: unknown;
  for await (const part of output as AsyncIterable<unknown>) last = part;
  return last;
}
