import { invalidInput } from "./error.js";
import { checkText } from "./text.js";

export interface ToolAnnotations {
  readOnlyHint?: boolean;
  destructiveHint?: boolean;
  idempotentHint?: boolean;
}

/** Whether a run that may call it has to be approved first. */
export type ToolApproval = "auto" | "required";

/** A tool as the store knows it. */
export interface StoredTool {
  id: string;
  description: string;
  inputSchema: unknown;
  outputSchema: unknown;
  annotations: ToolAnnotations;
  examples: unknown;
  /** What the host said; undefined where it said nothing. */
  approval: ToolApproval | undefined;
  /** Rises with every change of a schema. */
  version: number;
  schemaHash: string;
  available: boolean;
  updatedAt: Date;
}

export interface NewTool {
  id: string;
  description: string;
  inputSchema?: unknown;
  outputSchema?: unknown;
  annotations?: ToolAnnotations;
  examples?: unknown;
  approval?: ToolApproval;
}

/** As it was given when it was stored. */
export function asGiven({ id, description, inputSchema, outputSchema, ...rest }: StoredTool): NewTool {
  const { annotations, examples, approval } = rest;
  return { id, description, inputSchema, outputSchema, annotations, examples, ...(approval && { approval }) };
}

/** A tool as a host gives it: described, and callable. */
export interface Tool extends NewTool {
  /** Whether a person is asked before it runs; `destructiveHint` means `required` unless `auto` is said here. */
  approval?: "auto" | "required";
  /** Its `execute` refuses wrong input by itself; `inputSchema` is for reading only. */
  checksInput?: boolean;
  /** False: it is never called ahead of time, though it only reads. For where each call costs. */
  prefetch?: boolean;
  /** Longest it may take. Default 60 000. */
  timeoutMs?: number;
  execute(args: Record<string, unknown>, context: ToolContext): unknown;
}

export interface ToolContext {
  /** Aborts when the run is over, or the tool took too long. */
  signal: AbortSignal;
}

/** `server:name`. Made and checked here and nowhere else: two ids for one tool would split what is known of it. */
export function checkToolId(id: unknown): string {
  const text = checkText("A tool's id", id, 300);
  if (!/^[^:\s]+:\S+$/.test(text))
    throw invalidInput(`"${text.slice(0, 100)}" is not a tool id of the form server:name.`);
  return text;
}

/** Declared to change nothing. What says nothing of itself counts as having side effects. */
export function isReadOnly({ annotations }: { annotations?: ToolAnnotations }): boolean {
  return annotations?.readOnlyHint === true && annotations.destructiveHint !== true;
}

/** May be called again after a failure. */
export function isRepeatable(tool: { annotations?: ToolAnnotations }): boolean {
  return isReadOnly(tool) || tool.annotations?.idempotentHint === true;
}

export function needsApproval({ approval, annotations }: Pick<Tool, "approval" | "annotations">): boolean {
  return approval === "required" || (approval !== "auto" && annotations?.destructiveHint === true);
}
