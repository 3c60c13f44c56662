import type { JsonSchemaType, Tool as McpTool } from "@modelcontextprotocol/client";
import type { Tool } from "@pml/core";

import { createBoundedValidator } from "./bounded-validator.js";
import type { Conceal } from "./secrets.js";
import type { McpServerConfig } from "./server-config.js";
import { nameTools } from "./tool-ids.js";

export interface ToolSource {
  /** As ids begin. */
  server: string;
  config: Pick<McpServerConfig, "approval" | "trustHints">;
  timeoutMs: number;
  conceal: Conceal;
  call: (name: string, args: Record<string, unknown>, signal: AbortSignal) => Promise<unknown>;
}

const LONGEST_DESCRIPTION = 4000;
const LARGEST_SCHEMA = 200_000;
const DEEPEST_SCHEMA = 100;
/** More than this would bury what other servers have, and take minutes to learn by heart. */
const MOST_TOOLS = 1000;
/** Beside the server's own time, so that the error that names the server comes first. */
const GRACE_MS = 1000;

/** A server's tools as those of PML, and what had to be left out of them. */
export function readTools(source: ToolSource, listed: readonly McpTool[]): { tools: Tool[]; warnings: string[] } {
  const warnings: string[] = [];
  const first = new Map(listed.map((tool) => [tool.name, tool] as const).reverse());
  if (first.size < listed.length) warnings.push("Several tools have the same name: the first of them counts.");
  const different = [...first.values()].reverse();
  if (different.length > MOST_TOOLS)
    warnings.push(`It has ${different.length} tools: the first ${MOST_TOOLS} count, the others were left out.`);
  const kept = different.slice(0, MOST_TOOLS);
  const names = nameTools(kept.map(({ name }) => name));
  const tools = kept.map((tool) => readTool(source, { tool, id: names.get(tool.name) ?? "", warnings }));
  return { tools, warnings };
}

function readTool(
  { server, config, timeoutMs, conceal, call }: ToolSource,
  { tool, id, warnings }: { tool: McpTool; id: string; warnings: string[] },
): Tool {
  const { name, inputSchema, outputSchema } = tool;
  const input = checkSchema(inputSchema, `The input schema of ${name}`, warnings);
  const output = checkSchema(outputSchema, `The output schema of ${name}`, warnings);
  return {
    id: `${server}:${id}`,
    description: conceal(describe(tool)),
    ...(input !== undefined && { inputSchema: conceal(input) }),
    ...(output !== undefined && { outputSchema: conceal(output) }),
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
    checkDepth(schema);
    createBoundedValidator().getValidator(schema as JsonSchemaType);
    return schema;
  } catch (error) {
    warnings.push(`${what} cannot be used, and was left out: ${(error as Error).message}`);
    return undefined;
  }
}

function checkDepth(value: unknown, left: number = DEEPEST_SCHEMA): void {
  if (typeof value !== "object" || value === null) return;
  if (left === 0) throw new Error(`it is nested deeper than ${DEEPEST_SCHEMA} levels`);
  for (const each of Object.values(value)) checkDepth(each, left - 1);
}
