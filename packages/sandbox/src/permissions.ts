import { invalidOptions } from "./error.js";
import type { Tool } from "./tool.js";

export const PERMISSION_SETS = ["minimal", "standard", "privileged"] as const;

/**
 * What a run may call. `minimal`: tools that say they only read, and neither clock nor random numbers; `standard`:
 * all but tools that say they destroy; `privileged`: all. Or one's own.
 */
export type Permissions = (typeof PERMISSION_SETS)[number] | CustomPermissions;

/** A pattern is a tool's id, `server:*`, or `*`. What `deny` names is denied even if `allow` names it too. */
export interface CustomPermissions {
  allow: readonly string[];
  deny?: readonly string[];
  /** True unless said otherwise. */
  clock?: boolean;
  random?: boolean;
}

/** Permissions, decided. */
export interface Grant {
  /** As messages call it. */
  name: string;
  clock: boolean;
  random: boolean;
  allows(tool: Tool): boolean;
}

export function resolvePermissions(permissions: Permissions): Grant {
  switch (permissions) {
    case "minimal":
      return { name: permissions, clock: false, random: false, allows: isReadOnly };
    case "standard":
      return { name: permissions, clock: true, random: true, allows: (tool) => !isDestructive(tool) };
    case "privileged":
      return { name: permissions, clock: true, random: true, allows: () => true };
    default:
      return resolveCustom(permissions);
  }
}

function resolveCustom({ allow, deny = [], clock = true, random = true }: CustomPermissions): Grant {
  if (![allow, deny].every((patterns) => Array.isArray(patterns) && patterns.every(isPattern)))
    throw invalidOptions(
      `Permissions are ${PERMISSION_SETS.map((name) => `"${name}"`).join(", ")}, or { allow, deny? } with patterns such as "fs:read", "fs:*" or "*".`,
    );
  const allows = ({ id }: Tool): boolean =>
    allow.some((each) => matches(each, id)) && !deny.some((each) => matches(each, id));
  return { name: "custom", clock, random, allows };
}

function isReadOnly(tool: Tool): boolean {
  return tool.annotations?.readOnlyHint === true && !isDestructive(tool);
}

function isDestructive({ annotations }: Tool): boolean {
  return annotations?.destructiveHint === true;
}

function isPattern(pattern: unknown): boolean {
  return typeof pattern === "string" && (pattern === "*" || /^[^:*]+:(?:\*|[^*]+)$/.test(pattern));
}

function matches(pattern: string, id: string): boolean {
  if (pattern === "*" || pattern === id) return true;
  return pattern.endsWith(":*") && id.startsWith(pattern.slice(0, -1));
}
