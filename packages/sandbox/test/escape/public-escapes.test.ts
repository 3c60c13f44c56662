import { describe, expect, it } from "vitest";

import { useSandbox } from "../shared-sandbox.js";

const { outcome } = useSandbox();
const tools = [{ id: "a:b", call: () => ({ list: [1] }) }];
/** What all of them come to: a function from text. It would find the global object, which is no data: no row expects that. */
const STEAL = "constructor.constructor('return this')()";

/** Ways out of other sandboxes that have been published, put to this one. `caught` means that nothing came of it. */
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
    [
      "Reflect.construct with a proxy that hides its prototype",
      `const hidden = new Proxy(function () {}, { get: (target, name) => (name === 'prototype' ? null : target[name]) }); return Reflect.construct(Object, [], hidden).${STEAL}`,
      "SANDBOX_CODE_THREW",
    ],
    [
      "Reflect.construct with a bound function",
      `return Reflect.construct(Object, [], (function () {}).bind()).${STEAL}`,
      "SANDBOX_CODE_THREW",
    ],
    [
      "Function.prototype replaced by null",
      "Object.getPrototypeOf(() => {}).constructor.prototype = null",
      "SANDBOX_CODE_THREW",
    ],
    [
      "the length of an argument list that changes as it is read",
      "let reads = 0; return Reflect.apply(Math.max, undefined, { get length() { return reads++ === 0 ? 2 : 1e9 }, 0: 1, 1: 2 })",
      2,
    ],
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
    [
      "names at the top of another script, seen as free names",
      "return ['serve', 'lockRealm', 'compartments', 'inners'].map((name) => name in globalThis).includes(true)",
      false,
    ],
    ["a free name of the file that runs it", "return serve", "SANDBOX_UNKNOWN_GLOBAL"],
    [
      "the scope object, as `this` of a function found on it",
      "return (0, structuredClone)({ a: 1 }), (function () { return this })()",
      undefined,
    ],
    [
      "the scope object, by a tagged template called on it",
      "const tag = function () { return this }; return tag`x`",
      undefined,
    ],
    ["a word of import.meta, escaped", "return import.\\u006deta", "SANDBOX_SYNTAX"],
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
