import { describe, expect, it } from "vitest";

import { useSandbox } from "../shared-sandbox.js";

const { outcome } = useSandbox();
const tools = [{ id: "a:b", call: () => ({ list: [1] }) }];
const INSPECT = "Symbol.for('nodejs.util.inspect.custom')";
/** What all of them come to: a function from text. It would find the global object, which is no data: no row expects that. */
const STEAL = "constructor.constructor('return this')()";
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
    [
      "CVE-2026-22709: a host error by way of a promise, made by a symbol for a name",
      `const error = new Error(); Object.defineProperty(error, 'name', { value: Symbol() }); return (async () => String(error.stack))().catch((caught) => caught.${STEAL})`,
      "",
    ],
    [
      "CVE-2026-45411: a generator that awaits a thenable which throws",
      `async function* inner() { try { yield 1 } finally { yield* { [Symbol.asyncIterator]: () => ({ next: () => ({ then() { ${OVERFLOW} } }) }) } } } const all = inner(); await all.next(); return all.return({ then() { ${OVERFLOW} } }).catch((caught) => caught.${STEAL})`,
      "SANDBOX_CODE_THREW",
    ],
    [
      "a suppressed error of a stack of disposables",
      `const stack = new DisposableStack(); stack.defer(() => { throw null }); stack.defer(() => { ${OVERFLOW} }); try { stack.dispose() } catch (error) { return error.suppressed.${STEAL} }`,
      "SANDBOX_UNKNOWN_GLOBAL",
    ],
    [
      "an error inside an aggregate of errors",
      `const errors = [() => { ${OVERFLOW} }, () => mcp.a.none()].map(async (fail) => fail()); return Promise.any(errors).catch(({ errors: [first] }) => first.${STEAL})`,
      "SANDBOX_CODE_THREW",
    ],
    [
      "the getter behind __proto__, looked up and applied",
      `const get = ({}).__lookupGetter__('__proto__'); return get.call(get.call(mcp.a.b)).${STEAL}`,
      "SANDBOX_CODE_THREW",
    ],
    [
      "a constructor taken out of its property's descriptor",
      `const entry = Object.entries(Object.getOwnPropertyDescriptor(Object.getPrototypeOf(() => {}), 'constructor')).find(([key]) => key === 'value'); return entry[1]('return this')()`,
      "SANDBOX_CODE_THREW",
    ],
    [
      "an array that is its own species",
      `const list = [0]; const self = function () { return list }; Object.defineProperty(self, Symbol.species, { value: self }); Object.defineProperty(list, 'constructor', { value: self }); return list.map(() => mcp.a.b)[0].${STEAL}`,
      "SANDBOX_CODE_THREW",
    ],
    [
      "a trap on Object.prototype that `in` would ask",
      `Object.prototype.has = (target) => target.${STEAL}; return 'x' in mcp.a.b`,
      "SANDBOX_CODE_THREW",
    ],
    [
      "a setter for an index on Array.prototype",
      `Object.defineProperty(Array.prototype, 0, { set(value) { value.${STEAL} } }); console.log('x')`,
      "SANDBOX_CODE_THREW",
    ],
    [
      "an object without a prototype, thrown and written on",
      `const box = { __proto__: null }; try { throw box } catch (caught) { caught.call = mcp.a.b } return box.call.${STEAL}`,
      "SANDBOX_CODE_THREW",
    ],
    [
      "the inner state, asked for by name",
      "return ['__pmlHost', '__pmlState', 'VM2_INTERNAL_STATE'].some((name) => name in globalThis)",
      false,
    ],
    [
      "a promise's executor that fails while its error is formatted",
      "new Promise(() => { const error = new Error(); Object.defineProperty(error, 'name', { value: Symbol() }); throw error }); await new Promise((done) => setTimeout(done, 5)); return 'alive'",
      "alive",
    ],
    [
      "an async generator that fails where nobody looks",
      "(async function* () { throw new Error('boom') })().next(); await new Promise((done) => setTimeout(done, 5)); return 'alive'",
      "alive",
    ],
    ["the frames of a stack, by util", `return util.getCallSites()[0].${STEAL}`, "SANDBOX_UNKNOWN_GLOBAL"],
    [
      "a callback of a finalization registry, which no deadline sees",
      "new FinalizationRegistry(() => { for (;;) {} }).register({})",
      "SANDBOX_UNKNOWN_GLOBAL",
    ],
    [
      "a list made from an iterator that fails asynchronously",
      `return Array.fromAsync([0], () => { ${OVERFLOW} }).catch((error) => error.${STEAL})`,
      "SANDBOX_CODE_THREW",
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
