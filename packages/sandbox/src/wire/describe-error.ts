import { types } from "node:util";

/** Name and message of an error: all of it that crosses. */
export interface ErrorDescription {
  name: string;
  message: string;
}

const MAX_TEXT = 10_000;
const MAX_PROTOTYPES = 10;

const NATIVE_NAMES: ReadonlyMap<object, string> = new Map(
  [AggregateError, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError].map((constructor) => [
    constructor.prototype as object,
    constructor.name,
  ]),
);

/** Reads data properties only, so that an error made by hostile code cannot run any while it is described. */
export function describeError(error: object): ErrorDescription {
  return {
    name: shorten(findText(error, "name") ?? "Error", 200),
    message: shorten(findText(error, "message") ?? "", MAX_TEXT),
  };
}

/** An error with what crossed of another. */
export function restoreError({ name, message }: ErrorDescription): Error {
  const error = new Error(message);
  // Defined, not assigned: on a frozen Error.prototype assignment would fail.
  Object.defineProperty(error, "name", { value: name, configurable: true, writable: true });
  return error;
}

export function shorten(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max)}… (${text.length - max} more characters)`;
}

function findText(error: object, key: string): string | undefined {
  let owner: object | null = error;
  for (let level = 0; owner !== null && level < MAX_PROTOTYPES; level++) {
    if (types.isProxy(owner)) return undefined;
    // Where SES has been, these names are accessors.
    const native = key === "name" ? NATIVE_NAMES.get(owner) : undefined;
    if (native !== undefined) return native;
    const value: unknown = Object.getOwnPropertyDescriptor(owner, key)?.value;
    if (typeof value === "string") return value;
    owner = Object.getPrototypeOf(owner) as object | null;
  }
  return undefined;
}
