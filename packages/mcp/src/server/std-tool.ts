import type { CapabilityStore, Names, Pml, Scope } from "@pml/core";

import type { McpServers } from "../client/connect-mcp-servers.js";

export type JsonSchema = { type: "object"; [keyword: string]: unknown };

/** Servers whose tools the memory can call. */
export type ServersBehind = Pick<McpServers, "list"> & Partial<Pick<McpServers, "settled">>;

/** What a tool of this server has to work with. */
export interface StdContext {
  pml: Pml;
  names: Names;
  scope: Partial<Scope> | undefined;
  /** Real servers behind the memory, where there are some. */
  servers: ServersBehind | undefined;
  /** When calls may be made: servers that are being started are waited for, but not for ever. */
  ready: Promise<void>;
  /** All requests of one connection are one conversation. */
  conversation: string;
}

/** The store as whoever is connected may see it. */
export function storeOf({ pml, scope }: Pick<StdContext, "pml" | "scope">): CapabilityStore {
  return scope === undefined ? pml.store : pml.store.withScope(scope);
}

export interface StdCall extends StdContext {
  /** Checked against the tool's schema, keys in camelCase. */
  args: Record<string, unknown>;
  signal: AbortSignal;
  onEvent: NonNullable<Parameters<Pml["execute"]>[0]["onEvent"]>;
}

interface ToolHints {
  readOnlyHint: boolean;
  destructiveHint?: boolean;
  idempotentHint?: boolean;
  /** It reaches what other servers reach. Default false: it is about this memory alone. */
  openWorldHint?: boolean;
}

/** A tool that this server has of its own. */
export interface StdTool {
  /** `family:name`, as `tool_usage` has it and as callers may write it. */
  id: string;
  title: string;
  description: string;
  input: JsonSchema;
  output: JsonSchema;
  hints: ToolHints;
  /** Answers in camelCase; `status: "error"` says that it failed. */
  run(call: StdCall): Promise<object>;
}

export const READS = { readOnlyHint: true } as const;
export const WRITES = { readOnlyHint: false, destructiveHint: false } as const;

export function objectOf(properties: Record<string, unknown>, required: readonly string[] = []): JsonSchema {
  return { type: "object", properties, ...(required.length > 0 && { required }), additionalProperties: false };
}

/** Of an answer: what is always there, and room for more. */
export function answerOf(
  properties: Record<string, unknown>,
  required: readonly string[] = Object.keys(properties),
): JsonSchema {
  return { type: "object", properties, required };
}

export const text = (description: string): object => ({ type: "string", description });
export const texts = (description: string): object => ({ type: "array", items: { type: "string" }, description });
export const flag = (description: string): object => ({ type: "boolean", description });
export const count = (description: string, minimum = 0): object => ({ type: "integer", minimum, description });
export const choice = (values: readonly string[], description: string): object => ({
  type: "string",
  enum: values,
  description,
});
export const anyObject = (description: string): object => ({ type: "object", description });
export const listOf = (description: string): object => ({ type: "array", items: { type: "object" }, description });
