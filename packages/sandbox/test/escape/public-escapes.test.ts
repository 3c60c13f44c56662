import { describe, expect, it } from "vitest";

import { useSandbox } from "../shared-sandbox.js";

const { outcome } = useSandbox();
const tools = [{ id: "a:b", call: () => ({ list: [1] }) }];
const INSPECT = "Symbol.for('nodejs.util.inspect.custom')";
/** What all of them come to: a function of the host, and from it the process. */
const STEAL = "constructor.constructor('return process')()";
const OVERFLOW = "(function deep() { new Error().stack; deep() })()";

/** Ways out of other sandboxes that have been published, put to this one. `caught` means that nothing came of it. */
describe("of vm2,", () => {
  it.each<[name: string, code: string, outcome: unknown]>([
    [
      "CVE-2019-10761: the RangeError of a host function",
      `const dive = () => { try { dive() } catch (error) { return error.${STEAL} } }; return dive()`,
      "SANDBOX_CODE_THREW",
    ],
    [
      "CVE-2021-23449: the promise of an import",
      `return import('./x.js').toString.${STEAL}`,
      "SANDBOX_FORBIDDEN_SYNTAX",
    ],
    [
      "CVE-2021-23555: prepareStackTrace set by a setter",
      `Object.prototype.__defineSetter__('prepareStackTrace', () => {}); new Error().stack`,
      "SANDBOX_CODE_THREW",
    ],
    [
      "CVE-2022-25893: WeakMap.prototype.set replaced",
      `WeakMap.prototype.set = function (key) { return key.${STEAL} }; await mcp.a.b()`,
      "SANDBOX_CODE_THREW",
    ],
    [
      "CVE-2022-36067: Error itself replaced",
      `globalThis.Error = { prepareStackTrace: (_, frames) => frames[0].getThis() }; return new TypeError().stack`,
      "SANDBOX_CODE_THREW",
    ],
    [
      "CVE-2023-29017: an async error with prepareStackTrace",
      `Error.prepareStackTrace = (_, frames) => frames.${STEAL}; return (async () => { null.x })().catch((error) => error.stack)`,
      "",
    ],
    [
      "CVE-2023-29199: a thrown proxy that overflows the stack",
      `const error = new Proxy({}, { getPrototypeOf() { ${OVERFLOW} } }); try { throw error } catch ({ constructor }) { return constructor.${STEAL} }`,
      "SANDBOX_CODE_THREW",
    ],
    [
      "CVE-2023-30547: the same, caught by a catch without a pattern",
      `const error = new Proxy({}, { getPrototypeOf() { ${OVERFLOW} } }); try { Object.getPrototypeOf(error) } catch (caught) { return caught.${STEAL} }`,
      "SANDBOX_CODE_THREW",
    ],
    [
      "CVE-2023-32313: inspection of an object with a method for it",
      `console.log({ [${INSPECT}]: (depth, options, inspect) => inspect.${STEAL} }); return 'caught'`,
      "caught",
    ],
    [
      "CVE-2023-32314: the name of an error as a trap",
      `const error = new Error(); error.name = { toString: new Proxy(() => '', { apply: (target, self, list) => list.${STEAL} }) }; return String(error.stack)`,
      "",
    ],
    [
      "CVE-2023-37466: the species of a promise",
      `const promise = (async () => { ${OVERFLOW} })(); promise.constructor = { [Symbol.species]: class { constructor(executor) { executor((value) => value, (error) => error.${STEAL}) } } }; promise.then(); return 'caught'`,
      "caught",
    ],
    [
      "CVE-2023-37903: inspection through WebAssembly",
      `WebAssembly.compileStreaming({ [${INSPECT}]: (depth, options, inspect) => inspect.${STEAL} })`,
      "SANDBOX_UNKNOWN_GLOBAL",
    ],
    ["a Buffer's prototype", `return Buffer.from('').${STEAL}`, "SANDBOX_UNKNOWN_GLOBAL"],
    ["the host's setTimeout", `return setTimeout.${STEAL}`, "SANDBOX_CODE_THREW"],
    [
      "a Proxy of a tool's function",
      `return new Proxy(mcp.a.b, { apply: (target) => target.${STEAL} })()`,
      "SANDBOX_CODE_THREW",
    ],
    [
      "instanceof with a method for it",
      `return ({}) instanceof { [Symbol.hasInstance]: (value) => value.${STEAL} }`,
      "SANDBOX_CODE_THREW",
    ],
    [
      "Reflect.construct with another new target",
      `return Reflect.construct(Object, [], mcp.a.b).${STEAL}`,
      "SANDBOX_CODE_THREW",
    ],
    [
      "an async iterator's host promise",
      `for await (const value of [mcp.a.b()]) return value.list.${STEAL}`,
      "SANDBOX_CODE_THREW",
    ],
    [
      "JSON.parse with a reviver",
      `return JSON.parse('[1]', function () { return this.${STEAL} })`,
      "SANDBOX_CODE_THREW",
    ],
    [
      "Array.prototype.map with a species",
      `class L extends Array { static get [Symbol.species]() { return function () { return this.${STEAL} } } } return L.of(1).map((n) => n)`,
      "SANDBOX_CODE_THREW",
    ],
  ])("%s", async (_, code, expected) => {
    expect(await outcome(code, { tools })).toEqual(expected);
  });
});

describe("of realms-shim,", () => {
  it.each<[name: string, code: string, outcome: unknown]>([
    [
      "a handler's missing trap found on Object.prototype",
      "Object.prototype.get = () => 'forged'; return mcp.a.b",
      "SANDBOX_CODE_THREW",
    ],
    [
      "Function.prototype.apply replaced",
      "Object.getPrototypeOf(() => {}).apply = () => 'forged'",
      "SANDBOX_CODE_THREW",
    ],
    ["Function.prototype.call replaced", "Object.getPrototypeOf(() => {}).call = () => 'forged'", "SANDBOX_CODE_THREW"],
    [
      "Array.prototype.push made to listen",
      "Array.prototype.push = function (value) { this.stolen = value }",
      "SANDBOX_CODE_THREW",
    ],
    [
      "Symbol.unscopables on the global object",
      "globalThis[Symbol.unscopables] = { Array: true }",
      "SANDBOX_CODE_THREW",
    ],
    [
      "an error from a stack overflow in the evaluator",
      `const dive = () => { try { dive() } catch (error) { throw error.${STEAL} } }; dive()`,
      "SANDBOX_CODE_THREW",
    ],
    ["the sloppy this of a function in eval", "return (0, globalThis.eval)('this')", "SANDBOX_CODE_THREW"],
    [
      "a spread argument list that runs code in between",
      "return Math.max(...{ [Symbol.iterator]: () => ({ next: () => { throw new Error('inside') } }) })",
      "SANDBOX_CODE_THREW",
    ],
    [
      "a getter on the scope's own prototype",
      "Object.defineProperty(Object.getPrototypeOf(globalThis), 'leak', { get: () => 1 })",
      "SANDBOX_CODE_THREW",
    ],
    [
      "a function's own source as a way to the wrapper",
      "return (function () {}).toString.call(mcp.a.b).includes('scope')",
      false,
    ],
    ["new.target as a way to a constructor", "return (function () { return new.target })()", undefined],
    ["import hidden behind a comment", "return import/* hidden */('node:fs')", "SANDBOX_FORBIDDEN_SYNTAX"],
  ])("%s", async (_, code, expected) => {
    expect(await outcome(code, { tools })).toEqual(expected);
  });
});

describe("of SES,", () => {
  it.each<[name: string, code: string, outcome: unknown]>([
    ["CVE-2023-39532: an import that is spread", "return { ...import('node:fs') }", "SANDBOX_FORBIDDEN_SYNTAX"],
    ["an import spread into a list", "return [...import('node:fs')]", "SANDBOX_FORBIDDEN_SYNTAX"],
    ["an import spread into a call", "return Math.max(...import('node:fs'))", "SANDBOX_FORBIDDEN_SYNTAX"],
    ["an HTML comment that hides code from one parser", "x = 1 <!-- y\n", "SANDBOX_FORBIDDEN_SYNTAX"],
    ["a compartment's constructor", "return globalThis.Compartment", undefined],
    ["a second lockdown", "return globalThis.lockdown", undefined],
    ["static properties of RegExp", "/(secret)/.exec('secret'); return RegExp.$1", undefined],
    ["RegExp.prototype.compile", "return typeof /x/.compile", "undefined"],
    [
      "the clock of the first realm, from a date's constructor",
      "return new Date(0).constructor.now()",
      "SANDBOX_CODE_THREW",
    ],
    ["Math.random of the first realm", "return Object.getPrototypeOf(Math).random?.()", "SANDBOX_CODE_THREW"],
    [
      "Error.captureStackTrace with a function to hide above",
      "const box = {}; Error.captureStackTrace(box, () => {}); return String(box.stack).includes('file:')",
      false,
    ],
    [
      "an accessor made by the override taming",
      "const get = Object.getOwnPropertyDescriptor(Object.prototype, 'toString').get; return get?.constructor === undefined ? 'none' : get.constructor('return 1')",
      "SANDBOX_CODE_THREW",
    ],
    [
      "a symbol in the shared registry carries no value",
      "return Object.isFrozen(Object.getPrototypeOf(Symbol.for('x')))",
      true,
    ],
    [
      "a frozen intrinsic's hidden class",
      "return [Object, Array, Promise, JSON, Reflect].every((each) => Object.isFrozen(each))",
      true,
    ],
  ])("%s", async (_, code, expected) => {
    expect(await outcome(code, { tools })).toEqual(expected);
  });
});
