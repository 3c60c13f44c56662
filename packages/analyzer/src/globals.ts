/** What the sandbox gives to code by name, besides `mcp`, `capabilities`, `args` and `context`. */
const LANGUAGE_GLOBALS = words(`
  AggregateError Array BigInt Boolean Date Error EvalError Infinity JSON Map Math NaN Number
  Object Promise Proxy RangeError ReferenceError Reflect RegExp Set String Symbol SyntaxError TypeError
  URIError URL URLSearchParams WeakMap WeakSet arguments atob btoa clearInterval clearTimeout console
  decodeURI decodeURIComponent encodeURI encodeURIComponent globalThis isFinite isNaN parseFloat parseInt
  setInterval setTimeout structuredClone undefined
  pml
`);

/**
 * Names that mean a host's powers, not an input: reading one is a mistake worth naming before the run. Words that an
 * input may well be called (`document`, `location`, `module`) are not among them.
 */
const ABSENT_GLOBALS = words(`
  ArrayBuffer Atomics BigInt64Array BigUint64Array Buffer Bun Compartment DataView Deno EventSource
  FinalizationRegistry Intl Iterator WeakRef Float32Array Float64Array Function Int16Array Int32Array Int8Array Request Response
  SharedArrayBuffer TextDecoder TextEncoder Uint16Array Uint32Array Uint8Array Uint8ClampedArray WebAssembly
  WebSocket XMLHttpRequest __dirname __filename crypto eval exports fetch global harden localStorage lockdown
  navigator performance process queueMicrotask require sessionStorage setImmediate window
`);

export const INPUT_NAMES = ["args", "context"] as const;
const OWN_NAMES: ReadonlySet<string> = new Set(["mcp", "capabilities", ...INPUT_NAMES]);

/** Names beginning so belong to the instrumentation. */
export const RESERVED_PREFIX = "__pml";

export type NameKind = "own" | "language" | "absent" | "input";

export function kindOfName(name: string): NameKind {
  if (OWN_NAMES.has(name)) return "own";
  if (LANGUAGE_GLOBALS.has(name)) return "language";
  return ABSENT_GLOBALS.has(name) ? "absent" : "input";
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}
