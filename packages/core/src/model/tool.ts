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

/** `server:name`. Made and checked here and nowhere else: two ids for one tool would split what is known of it. */
export function checkToolId(id: unknown): string {
  const text = checkText("A tool's id", id, 300);
  if (!/^[^:\s]+:\S+$/.test(text))
    throw invalidInput(`"${text.slice(0, 100)}" is not a tool id of the form server:name.`);
  return text;
}
