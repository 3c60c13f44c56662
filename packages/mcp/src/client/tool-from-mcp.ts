import type { Tool as McpTool } from "@modelcontextprotocol/client";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv";
import type { Tool } from "@pml/core";

import type { McpServerConfig } from "./server-config.js";
import { nameTools } from "./tool-ids.js";

export interface ToolSource {
  /** As ids begin. */
  server: string;
  config: Pick<McpServerConfig, "approval" | "trustHints">;
  timeoutMs: number;
  call: (name: string, args: Record<string, unknown>, signal: AbortSignal) => Promise<unknown>;
}

const LONGEST_DESCRIPTION = 4000;
const LARGEST_SCHEMA = 200_000;
/** Beside the server's own time, so that the error that names the server comes first. */
const GRACE_MS = 1000;

/** A server's tools as those of PML, and what had to be left out of them. */
export function readTools(source: ToolSource, listed: readonly McpTool[]): { tools: Tool[]; warnings: string[] } {
  const warnings: string[] = [];
  const first = new Map(listed.map((tool) => [tool.name, tool] as const).reverse());
  if (first.size < listed.length) warnings.push("Several tools have the same name: the first of them counts.");
  const names = nameTools([...first.keys()]);
  const tools = [...first.values()]
    .reverse()
    .map((tool) => readTool(source, { tool, id: names.get(tool.name) ?? "", warnings }));
  return { tools, warnings };
}

function readTool(
  { server, config, timeoutMs, call }: ToolSource,
  { tool, id, warnings }: { tool: McpTool; id: string; warnings: string[] },
): Tool {
  const { name, inputSchema, outputSchema } = tool;
  const input = checkSchema(inputSchema, `The input schema of ${name}`, warnings);
  const output = checkSchema(outputSchema, `The output schema of ${name}`, warnings);
  return {
    id: `${server}:${id}`,
    description: describe(tool),
    ...(input !== undefined && { inputSchema: input }),
    ...(output !== undefined && { outputSchema: output }),
    annotations: readHints(tool, config.trustHints ?? true),
    ...(config.approval !== undefined && { approval: config.approval }),
    timeoutMs: timeoutMs + GRACE_MS,
    execute: (args, { signal }) => call(name, args, signal),
  };
}

function describe({ name, title, description, annotations }: McpTool): string {
  const text = (description ?? title ?? annotations?.title ?? "").trim();
  return text === "" ? name : text.slice(0, LONGEST_DESCRIPTION);
}

/** Only what the server says. Hints that make a tool ask or wait more are always believed. */
function readHints({ annotations = {} }: McpTool, trusted: boolean): NonNullable<Tool["annotations"]> {
  const { readOnlyHint, destructiveHint, idempotentHint } = annotations;
  return {
    ...(readOnlyHint !== undefined && { readOnlyHint: readOnlyHint && trusted }),
    ...(destructiveHint !== undefined && { destructiveHint }),
    ...(idempotentHint !== undefined && { idempotentHint: idempotentHint && trusted }),
  };
}

/** A schema that nobody can check is left out: the server checks what it is sent itself. */
function checkSchema(schema: unknown, what: string, warnings: string[]): unknown {
  if (schema === undefined) return undefined;
  const size = JSON.stringify(schema).length;
  if (size > LARGEST_SCHEMA) {
    warnings.push(`${what} has ${size} characters, more than ${LARGEST_SCHEMA}: it was left out.`);
    return undefined;
  }
  try {
    new AjvJsonSchemaValidator().getValidator(schema as Parameters<AjvJsonSchemaValidator["getValidator"]>[0]);
    return schema;
  } catch (error) {
    warnings.push(`${what} cannot be used, and was left out: ${(error as Error).message}`);
    return undefined;
  }
}
