import { isSandboxErrorCode, type Fault } from "../error.js";
import type { ClockReading } from "../recording.js";
import { mayHoldProto, reviveValue } from "./decode-value.js";
import type { GuestEvent, GuestMessage } from "./messages.js";
import { MAX_DEPTH } from "./survey-value.js";

/** A message from the child and the value it carries. */
export interface Received {
  message: GuestMessage;
  value: unknown;
}

type Field = (value: unknown) => boolean;
type Shape = Record<string, Field>;
type Shapes<T extends string> = ReadonlyMap<string, ReadonlyMap<string, Field>> & { readonly types?: T };

/** Of a message: a map takes three for each of a value's, and there is something around it. */
const MAX_LEVELS = 3 * MAX_DEPTH + 10;
/** Read before the rest is looked at. */
const ALWAYS = new Set(["type", "tagged", "value"]);
const SCOPE: Shape = { run: isCount, scope: isCount };
const ORIGIN: Shape = { nodeId: optional(isString), iteration: optional(isNumbers) };
const OPTIONAL_FAULT: Shape = { fault: optional(isFault) };

const MESSAGES = prepareShapes<GuestMessage["type"]>({
  ready: {},
  call: { ...SCOPE, ...ORIGIN, id: isCount, tool: isString, at: isNumber, clock: optional(isClock) },
  event: { ...SCOPE, ...ORIGIN, at: isNumber, event: isGuestEvent },
  clock: { run: isCount, clock: isClock },
  done: { run: isCount, droppedEvents: isCount, clock: optional(isClock), fatal: optional(isTrue), ...OPTIONAL_FAULT },
});

const EVENTS = prepareShapes<GuestEvent["type"]>({
  decision: { outcome: isString },
  progress: {
    message: isString,
    done: optional(isNumber),
    total: optional(isNumber),
    percent: optional(isNumber),
  },
  log: { level: isString, message: isString },
  capability_hint: { name: isString, description: isString, toolsUsed: isStrings },
  capability_start: { id: isCount, capability: isString },
  capability_end: { id: isCount, ...OPTIONAL_FAULT },
  operation_start: { id: isCount, operation: isString },
  operation_end: { id: isCount },
});

/**
 * Reads what a child sent, or returns undefined for what no honest child sends. The child runs hostile code: if that
 * ever gets hold of the channel, this is the first thing between it and the host.
 */
export function readGuestMessage(text: string): Received | undefined {
  try {
    const message = JSON.parse(text) as Record<string, unknown>;
    const { tagged, value } = message;
    if (!isOneOf<GuestMessage>(MESSAGES, message)) return undefined;
    // A level takes two characters at least.
    if (text.length > 2 * MAX_LEVELS && isDeeper(message, MAX_LEVELS)) return undefined;
    return { message, value: reviveValue(value, tagged === true || mayHoldProto(text)) };
  } catch {
    return undefined;
  }
}

function prepareShapes<T extends string>(shapes: Record<T, Shape>): Shapes<T> {
  return new Map(Object.entries<Shape>(shapes).map(([type, shape]) => [type, new Map(Object.entries(shape))]));
}

function isOneOf<T extends { type: string }>(shapes: Shapes<T["type"]>, value: unknown): value is T {
  if (typeof value !== "object" || value === null) return false;
  const fields = value as Record<string, unknown>;
  const shape = shapes.get(fields["type"] as string);
  return shape !== undefined && matches(shape, fields);
}

function matches(shape: ReadonlyMap<string, Field>, fields: Record<string, unknown>): boolean {
  for (const key of Object.keys(fields)) if (!ALWAYS.has(key) && !shape.has(key)) return false;
  for (const [key, is] of shape) if (!is(fields[key])) return false;
  return true;
}

function isGuestEvent(value: unknown): boolean {
  return isOneOf<GuestEvent>(EVENTS, value);
}

function isFault(value: unknown): value is Fault {
  if (typeof value !== "object" || value === null) return false;
  const { code, message, details } = value as Record<string, unknown>;
  if (!isSandboxErrorCode(code) || !isString(message) || typeof details !== "object" || details === null) return false;
  // Written anew, the key is in its one form, and cannot be part of a text: quotes in those are escaped.
  return !JSON.stringify(details).includes('"__proto__":');
}

function isDeeper(tree: unknown, levels: number): boolean {
  if (typeof tree !== "object" || tree === null) return false;
  if (levels === 0) return true;
  const items: unknown[] = Array.isArray(tree) ? tree : Object.values(tree);
  return items.some((item) => isDeeper(item, levels - 1));
}

function isClock(value: unknown): value is ClockReading[] {
  return Array.isArray(value) && value.every((each) => isNumbers(each) && each.length === 2 && isCount(each[1]));
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isNumbers(value: unknown): value is number[] {
  return Array.isArray(value) && value.every(isNumber);
}

function isStrings(value: unknown): boolean {
  return Array.isArray(value) && value.every(isString);
}

function isNumber(value: unknown): boolean {
  return typeof value === "number";
}

function isString(value: unknown): boolean {
  return typeof value === "string";
}

function isTrue(value: unknown): boolean {
  return value === true;
}

function optional(is: Field): Field {
  return (value) => value === undefined || is(value);
}
