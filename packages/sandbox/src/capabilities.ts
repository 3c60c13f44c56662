import { invalidOptions } from "./error.js";
import { isReservedName } from "./names.js";
import type { Capability } from "./runner/runner.js";

/** A list, or by name. */
export type Capabilities = readonly Capability[] | Readonly<Record<string, Omit<Capability, "name">>>;

/** `name`, `namespace:action`, `org.project:namespace:action`, each perhaps with `@version`. */
const NAME = /^[\p{L}\p{N}_$%][\p{L}\p{N}_$%.-]*(?::[\p{L}\p{N}_$.-]+){0,2}(?:@[\p{L}\p{N}_.-]+)?$/u;

/** Throws for names that code could not call. */
export function listCapabilities(capabilities: Capabilities): Capability[] {
  const list = Array.isArray(capabilities)
    ? (capabilities as readonly Capability[])
    : Object.entries(capabilities).map(([name, capability]) => ({ ...capability, name }));
  const seen = new Set<string>();
  return list.map(({ name, code, defaults }) => {
    if (!NAME.test(name) || name.split(/[:@]/).some(isReservedName))
      throw invalidOptions(`"${name}" cannot be the name of a capability.`, { name });
    if (seen.has(name)) throw invalidOptions(`There are two capabilities "${name}".`, { name });
    if (typeof code !== "string") throw invalidOptions(`The capability "${name}" has no code.`, { name });
    seen.add(name);
    return { name, code, ...(defaults && { defaults: copyDefaults(name, defaults) }) };
  });
}

function copyDefaults(name: string, defaults: Record<string, unknown>): Record<string, unknown> {
  try {
    return JSON.parse(JSON.stringify(defaults)) as Record<string, unknown>;
  } catch (error) {
    throw invalidOptions(`The defaults of "${name}" are not JSON: ${(error as Error).message}`, { name });
  }
}
