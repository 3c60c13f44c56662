import { decodeValue, encodeValue } from "@pml/sandbox";

/**
 * A value on its way to disk: JSON as it is; what is more than JSON (a `Map`, a `Date`, `NaN`) as `{ $tagged: text }`;
 * and what is too large, or not data, as `{ $omitted: why }`.
 */
export type KeptValue = unknown;

export function keepValue(value: unknown, maxBytes: number): KeptValue {
  if (value === undefined) return undefined;
  const encoding = encodeValue(value, maxBytes);
  if (!encoding.ok) return { $omitted: encoding.refusal.reason };
  const { text, tagged } = encoding.value;
  return tagged || looksKept(value) ? { $tagged: text, plain: !tagged } : value;
}

export function isOmitted(kept: KeptValue): boolean {
  return isRecord(kept) && Object.hasOwn(kept, "$omitted");
}

/** As it was. What was omitted is undefined. */
export function reviveValue(kept: KeptValue): unknown {
  if (!isRecord(kept)) return kept;
  if (Object.hasOwn(kept, "$omitted")) return undefined;
  if (typeof kept["$tagged"] !== "string") return kept;
  return decodeValue({ text: kept["$tagged"], tagged: kept["plain"] !== true });
}

/** Data that reads like one of ours is wrapped, so that it comes back as data. */
function looksKept(value: unknown): boolean {
  return isRecord(value) && (Object.hasOwn(value, "$tagged") || Object.hasOwn(value, "$omitted"));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
