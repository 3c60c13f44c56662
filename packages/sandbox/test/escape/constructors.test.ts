import { describe, expect, it } from "vitest";

import { useSandbox } from "../shared-sandbox.js";

const { outcome } = useSandbox();
const tools = [
  { id: "a:b", call: () => ({ list: [1], text: "x" }) },
  {
    id: "a:fails",
    call: () => {
      throw new TypeError("from the host");
    },
  },
];
const capabilities = { cap: { code: "return { from: 'capability' }" } };

/** Everything code can hold: each leads to a constructor, and that one's constructor makes functions from text. */
const VALUES: [name: string, expression: string][] = [
  ["an object", "({})"],
  ["an array", "[]"],
  ["a string", "''"],
  ["a number", "0"],
  ["a boolean", "true"],
  ["a bigint", "1n"],
  ["a symbol", "Symbol()"],
  ["a regular expression", "/x/"],
  ["a match", "/x/.exec('x')"],
  ["a date", "new Date()"],
  ["a map", "new Map()"],
  ["a set", "new Set()"],
  ["a weak map", "new WeakMap()"],
  ["a promise", "Promise.resolve()"],
  ["an error", "new Error()"],
  ["an error of the engine", "(() => { try { null.x } catch (error) { return error } })()"],
  ["a stack overflow", "(() => { const f = () => f(); try { f() } catch (error) { return error } })()"],
  ["an array iterator", "[][Symbol.iterator]()"],
  ["a class", "class {}"],
  ["an instance", "new (class {})()"],
  ["an arguments object", "(function () { return arguments })()"],
  ["a proxy", "new Proxy({}, {})"],
  ["a bound function", "(function () {}).bind()"],
  ["a getter", "Object.getOwnPropertyDescriptor({ get x() { return 1 } }, 'x').get"],
  ["a template object", "((parts) => parts)`x`"],
  ["its context", "args"],
  ["a tool", "mcp.a.b"],
  ["a result of a tool", "await mcp.a.b()"],
  ["a list in a result", "(await mcp.a.b()).list"],
  ["an error of a tool", "await mcp.a.fails().catch((error) => error)"],
  ["the details of an error", "await mcp.a.fails().catch((error) => error.details)"],
  ["an error for an unknown tool", "await mcp.no.tool().catch((error) => error)"],
  ["a result of a capability", "await capabilities.cap()"],
  ["the promise of a call", "mcp.a.b()"],
  ["console", "console"],
  ["console.log", "console.log"],
  ["pml", "pml"],
  ["pml.progress", "pml.progress"],
  ["setTimeout", "setTimeout"],
  ["a timer's id", "setTimeout(() => {}, 0)"],
  ["URL", "URL"],
  ["a URL", "new URL('http://a')"],
  ["an error of URL", "(() => { try { new URL('bad') } catch (error) { return error } })()"],
  ["an error of atob", "(() => { try { atob('!') } catch (error) { return error } })()"],
  ["URLSearchParams", "new URLSearchParams('a=1')"],
  ["structuredClone", "structuredClone"],
  ["a clone", "structuredClone({ a: 1 })"],
  ["Date", "Date"],
  ["Math.random", "Math.random"],
  ["globalThis", "globalThis"],
  ["the reporter", "__pmlHost"],
  ["a method of the reporter", "__pmlHost.start"],
];

describe("the constructor of the constructor of", () => {
  it.each(VALUES)("%s makes no function from text", async (_, expression) => {
    const code = `const value = ${expression}; return value.constructor.constructor("return this")()`;
    expect(await outcome(code, { tools, capabilities, context: { a: 1 } })).toBe("SANDBOX_CODE_THREW");
  });
});

const FUNCTIONS: [name: string, expression: string][] = [
  ["a function", "function () {}"],
  ["an arrow", "() => {}"],
  ["a generator", "function* () {}"],
  ["an async function", "async function () {}"],
  ["an async arrow", "async () => {}"],
  ["an async generator", "async function* () {}"],
  ["a method", "({ method() {} }).method"],
];

const USES: [how: string, use: (constructor: string) => string][] = [
  ["when it is called", (constructor) => `${constructor}("return 1")`],
  ["when it is constructed", (constructor) => `new (${constructor})("return 1")`],
  ["when Reflect constructs it", (constructor) => `Reflect.construct(${constructor}, ["return 1"])`],
  ["when Reflect applies it", (constructor) => `Reflect.apply(${constructor}, undefined, ["return 1"])`],
  ["when it is bound first", (constructor) => `${constructor}.bind(null, "return 1")()`],
  ["when it is extended", (constructor) => `new (class extends ${constructor} {})("return 1")`],
];

describe.each(USES)("the constructor of", (how, use) => {
  it.each(FUNCTIONS)(`%s makes no function from text ${how}`, async (_, expression) => {
    expect(await outcome(`return ${use(`(${expression}).constructor`)}`)).toBe("SANDBOX_CODE_THREW");
  });
});
