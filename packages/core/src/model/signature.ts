import { createHash } from "node:crypto";

import type { Capability, CapabilitySource } from "./capability.js";
import { PmlError } from "./error.js";
import { canonicalJson } from "./identity.js";

/** Everything of a capability that decides what it does when it runs. */
export interface Signable {
  source: CapabilitySource;
  parameterisedCode?: string | undefined;
  parameters?: unknown;
  permissions?: unknown;
}

/** `sha256:` over exact source, parameterised source, defaults, schema and permissions. */
export function signCapability({ source, parameterisedCode, parameters, permissions }: Signable): string {
  const defaults = listDefaults({ source, parameters });
  const content = canonicalJson([source, parameterisedCode ?? null, defaults, parameters ?? null, permissions ?? null]);
  return `sha256:${createHash("sha256").update(content).digest("hex")}`;
}

/** Throws for what is no longer what was stored: it must not run. */
export function checkSignature(capability: Capability): void {
  if (capability.signature === signCapability(capability)) return;
  throw new PmlError(
    "PML_SIGNATURE_MISMATCH",
    `Capability ${capability.name ?? capability.id} is not what was stored: its signature does not fit. It was not run. Restore a backup, or remove it.`,
    { details: { id: capability.id, signature: capability.signature ?? null } },
  );
}

/** What its parameters are when they are not given. */
export function listDefaults({ source, parameters }: Pick<Signable, "source" | "parameters">): Record<string, unknown> {
  const properties =
    (parameters as { properties?: Record<string, { default?: unknown }> } | undefined)?.properties ?? {};
  const declared = Object.entries(properties).filter(([, schema]) => schema?.default !== undefined);
  const ofSchema = Object.fromEntries(declared.map(([name, schema]) => [name, schema.default]));
  return source.type === "tool" ? { ...ofSchema, ...source.defaultArgs } : ofSchema;
}
