import { type ErrorDescription, restoreError } from "./describe-error.js";
import type { EncodedValue } from "./encode-value.js";
import { TAG } from "./tag-value.js";

/** What `encodeValue` made, as a fresh value that shares nothing with the first. */
export function decodeValue({ text, tagged }: EncodedValue): unknown {
  return reviveValue(JSON.parse(text), tagged || mayHoldProto(text));
}

/**
 * `__proto__` is the one key that makes a harmless copy (`Object.assign`) change a prototype. `encodeValue` never
 * writes it, nor escapes one of its characters, so text that might hold it deserves a look.
 */
export function mayHoldProto(text: string): boolean {
  return text.includes("__proto__") || text.includes("\\u00");
}

/** Turns parsed JSON into the value it stands for, in place. Throws for what `encodeValue` cannot have written. */
export function reviveValue(tree: unknown, tagged: boolean): unknown {
  return tagged ? revive(tree) : tree;
}

function revive(tree: unknown): unknown {
  if (typeof tree !== "object" || tree === null) return tree;
  if (Array.isArray(tree)) {
    for (let index = 0; index < tree.length; index++) tree[index] = revive(tree[index]);
    return tree;
  }
  const record = tree as Record<string, unknown>;
  return Object.hasOwn(record, TAG) ? reviveTagged(record[TAG], record["value"]) : reviveRecord(record);
}

function reviveRecord(record: Record<string, unknown>): Record<string, unknown> {
  if (Object.hasOwn(record, "__proto__")) throw new TypeError("A value holds a __proto__ key.");
  for (const key of Object.keys(record)) record[key] = revive(record[key]);
  return record;
}

function reviveTagged(tag: unknown, value: unknown): unknown {
  switch (tag) {
    case "undefined":
      return undefined;
    case "bigint":
      return reviveBigInt(value as string);
    case "number":
      return Number(value);
    case "Date":
      return new Date(value === null ? Number.NaN : (value as number));
    case "Map":
      return new Map(revive(value) as [unknown, unknown][]);
    case "Set":
      return new Set(revive(value) as unknown[]);
    case "Error":
      return restoreError(value as ErrorDescription);
    case "Object":
      return reviveRecord(value as Record<string, unknown>);
    default:
      throw new TypeError("A value has an unknown tag.");
  }
}

function reviveBigInt(text: string): bigint {
  return text.startsWith("-") ? -BigInt(`0x${text.slice(1)}`) : BigInt(`0x${text}`);
}
