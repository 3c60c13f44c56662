import type { Tool } from "@pml/core";

/** A tool whose behaviour can be changed between two runs, and what it was called with. */
export interface Part {
  tool: Tool;
  does: Tool["execute"];
  readonly calls: unknown[];
  readonly signals: AbortSignal[];
}

export function createPart(change: Partial<Tool> = {}): Part {
  const execute: Tool["execute"] = (args, context) => {
    part.calls.push(structuredClone(args));
    part.signals.push(context.signal);
    return part.does(args, context);
  };
  const tool: Tool = { id: "part:read", description: "", annotations: { readOnlyHint: true }, execute, ...change };
  const part: Part = { tool, does: () => "as it was", calls: [], signals: [] };
  return part;
}
