import { invalidInput } from "./error.js";

/** Longer intents are no requests but documents; a model reads the first few hundred words only. */
const MAX_INTENT_LENGTH = 32_768;
/** Longest code, description or id that is stored. */
const MAX_TEXT_LENGTH = 1_000_000;

const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Text as it can be stored and read back the same: PostgreSQL has no NUL, and UTF-8 has no half of a surrogate pair.
 * Either is refused, since storing something else than was given would make it impossible to find again.
 */
export function checkText(what: string, text: unknown, maxLength: number = MAX_TEXT_LENGTH): string {
  if (typeof text !== "string") throw invalidInput(`${what} must be a string.`);
  if (text.length > maxLength)
    throw invalidInput(`${what} has ${text.length} characters; the most is ${maxLength}.`, { length: text.length });
  if (text.includes("\0")) throw invalidInput(`${what} contains a NUL character, which cannot be stored.`);
  if (LONE_SURROGATE.test(text))
    throw invalidInput(`${what} contains half of a surrogate pair, which is not valid Unicode.`);
  return text;
}

/** As `checkText`, for what must say something. */
export function checkIntent(intent: unknown): string {
  const text = checkText("The intent", intent, MAX_INTENT_LENGTH);
  if (text.trim() === "") throw invalidInput("The intent is empty. Say what is to be done, in a sentence.");
  return text;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function checkId(what: string, id: unknown): string {
  if (typeof id !== "string" || !UUID.test(id))
    throw invalidInput(`${what} is not a UUID.`, { id: String(id).slice(0, 100) });
  return id.toLowerCase();
}

export function checkNumber(what: string, value: unknown, range: { min: number; max: number }): number {
  if (typeof value !== "number" || !(value >= range.min && value <= range.max))
    throw invalidInput(`${what} must be a number from ${range.min} to ${range.max}.`, { value: String(value) });
  return value;
}

/** As `checkNumber`, for what is counted: the database takes no halves. */
export function checkCount(what: string, value: unknown, range: { min: number; max: number }): number {
  const number = checkNumber(what, value, range);
  if (!Number.isInteger(number)) throw invalidInput(`${what} must be a whole number.`, { value: number });
  return number;
}

/** For messages: what was given instead of a text may not even be made into one. */
export function showText(given: unknown, maxLength: number): string {
  return typeof given === "string" ? given.slice(0, maxLength) : `(${given === null ? "null" : typeof given})`;
}
