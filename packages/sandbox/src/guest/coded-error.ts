import { types } from "node:util";

import type { Fault } from "../error.js";
import { copyValue } from "../wire/copy-value.js";
import { describeError, shorten } from "../wire/describe-error.js";
import { encodeValue } from "../wire/encode-value.js";
import { getStack } from "./realm.js";
import { listFrames } from "./stack-frames.js";

const MAX_THROWN_BYTES = 4096;

/** Only errors made here carry a fault; code that throws its own with the same `code` changes nothing. */
const faults = new WeakMap<object, Fault>();

/** An error that code can catch, and whose `code` says what went wrong. */
export function createCodedError(fault: Fault, Kind: ErrorConstructor = Error): Error {
  const error = new Kind(fault.message);
  Object.defineProperties(error, {
    code: { value: fault.code, enumerable: true },
    // A copy: the fault itself goes back to the host, and must not change with what code does to its error.
    details: { value: copyValue(fault.details), enumerable: true },
  });
  faults.set(error, fault);
  return error;
}

/** Says what was thrown without running any of it: it may be a proxy, or an error with getters. */
export function describeThrown(thrown: unknown): Fault {
  if (typeof thrown !== "object" || thrown === null || types.isProxy(thrown)) return describeNonError(thrown);
  const known = faults.get(thrown);
  if (known !== undefined) return { ...known, details: { ...known.details, ...locate(thrown) } };
  if (!types.isNativeError(thrown)) return describeNonError(thrown);
  const { name, message } = describeError(thrown);
  const overflow = name === "RangeError" && message === "Maximum call stack size exceeded";
  return {
    code: overflow ? "SANDBOX_STACK_OVERFLOW" : "SANDBOX_CODE_THREW",
    message: overflow ? "The code recursed too deeply: the stack is full." : `The code threw ${name}: ${message}`,
    details: { name, message, ...locate(thrown) },
  };
}

function describeNonError(thrown: unknown): Fault {
  const encoding = encodeValue(thrown, MAX_THROWN_BYTES);
  const text = encoding.ok ? encoding.value.text : typeof thrown;
  return {
    code: "SANDBOX_CODE_THREW",
    message: `The code threw ${shorten(text, 200)}, which is not an error.`,
    details: { thrown: shorten(text, MAX_THROWN_BYTES) },
  };
}

function locate(error: object): Record<string, unknown> {
  const frames = listFrames(getStack(error));
  const first = frames[0];
  return first === undefined ? {} : { line: first.line, column: first.column, frames };
}
