import { toSafeToolName } from "@pml/core";

/** `fs:read_json` as the name of a tool: `cap__fs__read_json`. */
export function toCapabilityTool(name: string): string {
  return toSafeToolName(`cap:${name}`);
}

/** The name of a capability that a caller means; `hashed` when only a list of names can say which. */
export function readCapabilityTool(tool: string): { name: string } | { hashed: string } | undefined {
  if (tool.startsWith("cap:")) return { name: tool.slice("cap:".length) };
  if (/^cap_.*___/.test(tool)) return { hashed: tool };
  return tool.startsWith("cap__") ? { name: tool.slice("cap__".length).replaceAll("__", ":") } : undefined;
}
