import { describe, expect, it } from "vitest";

import { useSandbox } from "../shared-sandbox.js";

const { outcome, run } = useSandbox();

const HOST_NAMES = `process require module exports global self window Buffer fetch Request Response Headers WebSocket
EventSource XMLHttpRequest performance setImmediate clearImmediate queueMicrotask BroadcastChannel MessageChannel
MessagePort Worker Event EventTarget AbortController AbortSignal Blob File FormData crypto navigator localStorage
DOMException __dirname __filename Deno Bun ReadableStream CompressionStream alert document importScripts`
  .split(/\s+/)
  .filter(Boolean);

const REMOVED_NAMES = `eval Function WebAssembly SharedArrayBuffer Atomics ArrayBuffer DataView Int8Array Uint8Array
Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array Float32Array Float64Array BigInt64Array BigUint64Array
TextEncoder TextDecoder Compartment lockdown harden assert Intl WeakRef FinalizationRegistry Iterator ModuleSource
getStackString Temporal`
  .split(/\s+/)
  .filter(Boolean);

describe("a name of the host", () => {
  it.each(HOST_NAMES)("%s is not there", async (name) => {
    const result = await run({ code: `return ${name}` });
    expect(result).toMatchObject({ status: "error", error: { code: "SANDBOX_UNKNOWN_GLOBAL", details: { name } } });
  });
});

describe("a name taken out of the language", () => {
  it.each(REMOVED_NAMES)("%s is not there", async (name) => {
    const result = await run({ code: `const use = ${name}; return typeof use` });
    expect(result).toMatchObject({ status: "error", error: { code: "SANDBOX_UNKNOWN_GLOBAL", details: { name } } });
  });
});

describe("the global object", () => {
  it.each<[name: string, code: string, outcome: unknown]>([
    ["has no process", "return globalThis.process", undefined],
    ["has no eval", "return globalThis.eval", undefined],
    ["has no Function", "return globalThis.Function", undefined],
    ["cannot be added to", "globalThis.leak = 1", "SANDBOX_CODE_THREW"],
    ["cannot lose anything", "delete globalThis.Array; return globalThis.Array === Array", "SANDBOX_CODE_THREW"],
    ["cannot be redefined", "Object.defineProperty(globalThis, 'Array', { value: 1 })", "SANDBOX_CODE_THREW"],
    ["keeps its prototype", "Object.setPrototypeOf(globalThis, { leak: 1 })", "SANDBOX_CODE_THREW"],
    ["is not `this`", "return this", undefined],
    ["is not `this` of a function", "return (function () { return this })()", undefined],
    ["is not `this` of a callback", "return [0].map(function () { return this })[0]", undefined],
    [
      "is not what setTimeout gives as `this`",
      "return new Promise((done) => setTimeout(function () { done(this) }))",
      undefined,
    ],
    ["is not reached through `arguments`", "return arguments.length", 0],
    ["is not reached through a caller", "return (function f() { return f.caller })()", undefined],
    ["is not reached through a callee", "return arguments.callee", "SANDBOX_CODE_THREW"],
    ["is not reached by valueOf", "return (0, Object.prototype.valueOf)()", "SANDBOX_CODE_THREW"],
    ["is not reached by Reflect.apply", "return Reflect.apply(function () { return this }, undefined, [])", undefined],
    ["takes no undeclared variable", "leak = 1", "SANDBOX_UNKNOWN_GLOBAL"],
    [
      "keeps Array when code gives its own name for it another value",
      "Array = 1; return typeof globalThis.Array",
      "function",
    ],
    [
      "shows unknown names to typeof as undefined",
      "return [typeof process, typeof (fetch)].join()",
      "undefined,undefined",
    ],
  ])("%s", async (_, code, expected) => {
    expect(await outcome(code)).toEqual(expected);
  });
});
