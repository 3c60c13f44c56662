import { GraphError } from "../error.js";

/**
 * What a threshold is for: its kind, then ever more particular names, as `["speculation", "project:acme", "fs:read"]`.
 * What is observed in a context counts for every more general one, up to the kind itself.
 */
export type ContextKey = readonly [kind: string, ...particulars: string[]];

const MAX_DEPTH = 6;
const MAX_NAME_LENGTH = 256;

/** The context and those it falls back to, the most particular first, each as one string. */
export function listScopes(context: ContextKey, kinds: { has(kind: string): boolean }): string[] {
  assertContext(context, kinds);
  return context.map((_, at) => JSON.stringify(context.slice(0, context.length - at)));
}

export function kindOf(scope: string): string {
  return (JSON.parse(scope) as string[])[0] ?? "";
}

function assertContext(context: ContextKey, kinds: { has(kind: string): boolean }): void {
  if (!Array.isArray(context) || context.length === 0 || context.length > MAX_DEPTH) {
    throw invalidContext(`A context is a list of one to ${MAX_DEPTH} names, its kind first.`, context);
  }
  if (!kinds.has(context[0])) {
    throw invalidContext("The context is of a kind that has no rule. Give it one in the option rules.", context);
  }
  if (!context.every((name) => typeof name === "string" && name !== "" && name.length <= MAX_NAME_LENGTH)) {
    throw invalidContext(`Each name of a context has 1 to ${MAX_NAME_LENGTH} characters.`, context);
  }
}

function invalidContext(message: string, context: unknown): GraphError {
  const shown = (JSON.stringify(context) ?? "undefined").slice(0, MAX_NAME_LENGTH);
  return new GraphError("GRAPH_INVALID_INPUT", message, { details: { context: shown } });
}
