import { afterEach, describe, expect, it } from "vitest";

import { useSandbox } from "../shared-sandbox.js";

const { outcome } = useSandbox();

// Whatever code did inside, the host's own prototypes are as they were.
afterEach(() => {
  const probe: Record<string, unknown> = {};
  for (const name in probe) throw new Error(`The host's Object.prototype has ${name}.`);
  if (probe["polluted"] !== undefined) throw new Error("The host's Object.prototype is polluted.");
});

describe("writing to the prototype of", () => {
  it.each(
    `Object Array Function String Number Boolean BigInt Symbol RegExp Date Map Set WeakMap WeakSet Promise Error TypeError
    RangeError AggregateError URL URLSearchParams`.split(/\s+/),
  )("%s fails", async (name) => {
    const prototype = name === "Function" ? "Object.getPrototypeOf(() => {})" : `${name}.prototype`;
    expect(await outcome(`${prototype}.polluted = true`)).toBe("SANDBOX_CODE_THREW");
  });

  it.each([
    ["iterators", "Object.getPrototypeOf([][Symbol.iterator]())"],
    ["generators", "Object.getPrototypeOf(function* () {})"],
    ["generator objects", "Object.getPrototypeOf(Object.getPrototypeOf((function* () {})()))"],
    ["async functions", "Object.getPrototypeOf(async () => {})"],
    ["async generators", "Object.getPrototypeOf(async function* () {})"],
    ["map iterators", "Object.getPrototypeOf(new Map().entries())"],
    ["regular expression string iterators", "Object.getPrototypeOf('a'.matchAll(/a/g))"],
  ])("%s fails", async (_, expression) => {
    expect(await outcome(`${expression}.polluted = true`)).toBe("SANDBOX_CODE_THREW");
  });
});

describe("a prototype", () => {
  it.each<[name: string, code: string, outcome: unknown]>([
    ["does not change through __proto__", "({}).__proto__.polluted = 1", "SANDBOX_CODE_THREW"],
    ["does not change through constructor.prototype", "({}).constructor.prototype.polluted = 1", "SANDBOX_CODE_THREW"],
    ["does not change by Object.assign", "Object.assign(Object.prototype, { polluted: 1 })", "SANDBOX_CODE_THREW"],
    [
      "does not change by defineProperty",
      "Object.defineProperty(Array.prototype, 'map', { value: 1 })",
      "SANDBOX_CODE_THREW",
    ],
    ["does not change by __defineGetter__", "({}).__proto__.__defineGetter__('x', () => 1)", "SANDBOX_CODE_THREW"],
    ["does not change by Reflect.set", "return Reflect.set(Object.prototype, 'polluted', 1)", false],
    ["cannot be replaced", "Object.setPrototypeOf(Array.prototype, { polluted: 1 })", "SANDBOX_CODE_THREW"],
    ["cannot have a method deleted", "delete Array.prototype.map", "SANDBOX_CODE_THREW"],
    [
      "does not change through a merge of parsed JSON",
      `const merge = (into, from) => { for (const key in from) typeof from[key] === "object"
        ? merge(into[key] ??= {}, from[key]) : (into[key] = from[key]); };
      merge({}, JSON.parse('{"__proto__": {"polluted": 1}}'))`,
      "SANDBOX_CODE_THREW",
    ],
    ["of one's own class can change", "class A {}; A.prototype.x = 1; return new A().x", 1],
    ["of a literal can be chosen", "return { __proto__: { x: 1 } }.x", 1],
    [
      "may be shadowed by everyday keys",
      "const counts = {}; counts.constructor = 1; counts.toString = 2; return counts",
      { constructor: 1, toString: 2 },
    ],
  ])("%s", async (_, code, expected) => {
    expect(await outcome(code)).toEqual(expected);
  });
});

describe("a __proto__ key", () => {
  const tools = [{ id: "a:b", call: (args: unknown) => Object.assign({}, args) }];

  it.each([
    ["in an argument", `return mcp.a.b(JSON.parse('{"__proto__": {"polluted": 1}}'))`],
    ["deep in an argument", `return mcp.a.b({ a: [JSON.parse('{"__proto__": 1}')] })`],
    ["in a result", `return JSON.parse('{"__proto__": {"polluted": 1}}')`],
    ["that is computed", `return { ["__proto__"]: { polluted: 1 } }`],
    ["that is defined", `return Object.defineProperty({}, "__proto__", { value: 1, enumerable: true })`],
    ["in a map", `return new Map([[1, JSON.parse('{"__proto__": 1}')]])`],
    ["in an argument of a capability", `return capabilities.c(JSON.parse('{"__proto__": 1}'))`],
  ])("%s does not cross", async (_, code) => {
    expect(await outcome(code, { tools, capabilities: { c: { code: "return args" } } })).toBe("SANDBOX_VALUE_REFUSED");
  });

  it("in a tool's result does not cross either", async () => {
    const parsed = [{ id: "a:b", call: () => JSON.parse('{"__proto__": {"polluted": 1}}') as unknown }];
    expect(await outcome("return mcp.a.b()", { tools: parsed })).toBe("SANDBOX_VALUE_REFUSED");
  });

  it("in the context is refused before anything runs", async () => {
    const context = JSON.parse('{"__proto__": {"polluted": 1}}') as Record<string, unknown>;
    await expect(outcome("return 1", { context })).rejects.toMatchObject({ code: "SANDBOX_VALUE_REFUSED" });
  });

  it("in a log line leaves the line without data", async () => {
    expect(await outcome(`console.log(JSON.parse('{"__proto__": 1}')); return 1`)).toBe(1);
  });

  it("as a value is only text", async () => {
    expect(await outcome(`return mcp.a.b({ key: "__proto__" })`, { tools })).toEqual({ key: "__proto__" });
  });
});
