import { Buffer } from "node:buffer";

import { findRefusal, type Refusal } from "./survey-value.js";
import { tagValue } from "./tag-value.js";

/** A value as text that `decodeValue` reads. `tagged` says that some of it is more than JSON. */
export interface EncodedValue {
  text: string;
  tagged: boolean;
}

export type Encoding = { ok: true; value: EncodedValue; bytes: number } | { ok: false; refusal: Refusal };

/**
 * Turns data into text, and refuses what is not data. Nothing of the value runs: no getter, no `toJSON`, no trap, so
 * that it can be used on what hostile code hands over.
 */
export function encodeValue(value: unknown, maxBytes: number): Encoding {
  const survey = findRefusal(value, maxBytes);
  if (!survey.ok) return survey;
  const text = JSON.stringify(survey.tagged ? tagValue(value) : value);
  const bytes = Buffer.byteLength(text);
  if (bytes > maxBytes) return { ok: false, refusal: { reason: "size", maxBytes } };
  return { ok: true, value: { text, tagged: survey.tagged }, bytes };
}
