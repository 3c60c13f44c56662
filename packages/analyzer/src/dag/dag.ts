import type { Guard, Json, Path } from "../structure.js";

/** What code does, said without code: tasks, what each is given, and what each waits for. */
export interface DAGStructure {
  readonly tasks: readonly DagTask[];
  /** What comes back: of those whose `when` holds, the first. */
  readonly returns?: readonly DagReturn[];
}

export type DagTaskType = "mcp_tool" | "capability" | "code_execution";

export interface DagTask {
  readonly id: string;
  /** `server:name`, the name of a capability, or `code:…` for an operation. */
  readonly tool: string;
  readonly type: DagTaskType;
  /** Fields of the input. For code: what each name in it stands for. */
  readonly arguments: Readonly<Record<string, DagValue>>;
  /** Tasks that must have ended first. One that was skipped has ended. */
  readonly dependsOn: readonly string[];
  /** An expression over the names in `arguments`. */
  readonly code?: string;
  /** False when running it changes nothing. */
  readonly sideEffects: boolean;
  /** Runs only if this decision went this way; else it is skipped, and its result is undefined. */
  readonly when?: Guard;
  readonly forEach?: ForEach;
  readonly metadata: DagMetadata;
}

/** Runs once for each item. In its arguments, `$from` with the task's own id is the item. The result is a list. */
export interface ForEach {
  readonly items: DagValue;
  /** One after the other, not together. */
  readonly sequential?: true;
}

export interface DagMetadata {
  readonly pure?: true;
  /** Should it fail when it runs as a DAG, what waits for it is skipped, and the rest goes on. */
  readonly safeToFail?: true;
  /** The task decides: what it gives is compared to make the outcome. */
  readonly decision?: DagDecision;
}

export interface DagDecision {
  /** `truthy`: `"true"` or `"false"`. `switch`: the label of the case that equals it, or `"default"`. */
  readonly kind: "truthy" | "switch";
  readonly outcomes: readonly string[];
  /** What the labels of a switch stand for, in their order, `default` left out. */
  readonly cases?: readonly Json[];
}

export interface DagReturn {
  /** Absent for undefined. */
  readonly value?: DagValue;
  readonly when?: Guard;
}

/**
 * A JSON value, anywhere in which may stand `{ $from: task, path? }` for a task's result, `{ $param: name, path? }` for
 * an input, and `{ $literal: value }` for JSON that would otherwise read as one of these.
 */
export type DagValue =
  | null
  | boolean
  | number
  | string
  | readonly DagValue[]
  | DagFrom
  | DagParam
  | DagLiteral
  | { readonly [key: string]: DagValue };

export interface DagFrom {
  readonly $from: string;
  readonly path?: Path;
  /** Where a part of the path is missing, it is undefined; else that is an error. */
  readonly optional?: true;
}

export interface DagParam {
  readonly $param: string;
  readonly path?: Path;
  readonly optional?: true;
  /** What stands in for an input that is not given. */
  readonly default?: Json;
}

export interface DagLiteral {
  readonly $literal: Json;
}

export function isFrom(value: DagValue): value is DagFrom {
  return isObject(value) && typeof value["$from"] === "string";
}

export function isParam(value: DagValue): value is DagParam {
  return isObject(value) && typeof value["$param"] === "string";
}

export function isLiteral(value: DagValue): value is DagLiteral {
  return isObject(value) && Object.hasOwn(value, "$literal");
}

export function isObject(value: unknown): value is Readonly<Record<string, DagValue>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Tasks whose results a value is made of. */
export function listSources(value: DagValue): string[] {
  if (isFrom(value)) return [value.$from];
  if (isParam(value) || isLiteral(value)) return [];
  if (Array.isArray(value)) return value.flatMap(listSources);
  return isObject(value) ? Object.values(value).flatMap(listSources) : [];
}
