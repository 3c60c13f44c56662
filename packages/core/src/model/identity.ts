import { createHash } from "node:crypto";

import { StaticStructureBuilder } from "@pml/analyzer";

import type { CapabilitySource } from "./capability.js";

/** The identity of a capability, by what it does: layout and comments of code do not count, nor does the order of keys. */
export function hashSource(source: CapabilitySource): string {
  if (source.type === "code") return new StaticStructureBuilder().build(source.code).hash;
  return createHash("sha256")
    .update(`${source.type}\n${canonicalJson(source)}`)
    .digest("hex");
}

/** JSON with the keys of every object in order, so that equal values give equal text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => (isRecord(each) ? sortKeys(each) : each)) ?? "null";
}

function sortKeys(record: Record<string, unknown>): Record<string, unknown> {
  // Entries rather than assignment: a key may be "__proto__".
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
