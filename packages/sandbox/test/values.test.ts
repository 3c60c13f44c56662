import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { useSandbox } from "./shared-sandbox.js";

const { outcome } = useSandbox();
const tools = [{ id: "a:echo", call: (args: unknown) => (args as { value: unknown }).value }];
const cycle: Record<string, unknown> = {};
cycle["self"] = cycle;

/** The fate of each kind of value; the README shows this table. */
const CROSSING: [name: string, expression: string, arrives: unknown][] = [
  ["null", "null", null],
  ["undefined", "undefined", undefined],
  ["undefined in an object", "{ a: undefined }", { a: undefined }],
  ["a hole in an array", "[1, , 2]", [1, undefined, 2]],
  ["NaN", "NaN", Number.NaN],
  ["Infinity", "-Infinity", Number.NEGATIVE_INFINITY],
  ["minus zero", "-0", -0],
  ["a bigint", "[123456789012345678901234567890n, -5n]", [123456789012345678901234567890n, -5n]],
  ["a date", "new Date(5)", new Date(5)],
  ["an invalid date", "new Date(NaN)", new Date(Number.NaN)],
  ["a map", "new Map([[{ a: 1 }, new Set([1n])]])", new Map([[{ a: 1 }, new Set([1n])]])],
  ["a set", "new Set(['a', undefined])", new Set(["a", undefined])],
  [
    "an error, as name and message",
    "Object.assign(new RangeError('far'), { extra: 1 })",
    Object.defineProperty(new Error("far"), "name", { value: "RangeError" }),
  ],
  ["an instance, as its own data", "new (class Point { x = 1; y = 2; get sum() { return 3 } })()", { x: 1, y: 2 }],
  ["an object without a prototype, as a plain one", "Object.assign(Object.create(null), { a: 1 })", { a: 1 }],
  ["the same object twice, as two", "(() => { const a = { n: 1 }; return [a, a] })()", [{ n: 1 }, { n: 1 }]],
  ["text of any kind", "'\\u{1F600} \\ud800 \\0 \\u2028'", "\u{1F600} \ud800 \0 \u2028"],
];

const REFUSED: [name: string, expression: string, kind: string][] = [
  ["a cycle", "(() => { const a = {}; a.a = a; return a })()", "cycle"],
  ["a function", "() => 1", "function"],
  ["a symbol", "Symbol.iterator", "symbol"],
  ["a proxy", "new Proxy({}, {})", "proxy"],
  ["a promise", "[Promise.resolve()]", "promise"],
  ["a regular expression", "/x/g", "regular expression"],
  ["a weak map", "new WeakMap()", "WeakMap"],
  ["a boxed string", "Object('x')", "boxed primitive"],
  ["a URL", "new URL('http://a')", "URL"],
  ["an accessor", "{ get a() { return 1 } }", "accessor"],
  ["a __proto__ key", "JSON.parse('{\"__proto__\": 1}')", "__proto__ key"],
];

describe("on its way out and back,", () => {
  it.each(CROSSING)("%s arrives", async (_, expression, arrives) => {
    expect(await outcome(`return mcp.a.echo({ value: ${expression} })`, { tools })).toEqual(arrives);
  });

  it.each(REFUSED)("%s is refused, by name", async (_, expression, kind) => {
    const code = `return mcp.a.echo({ value: ${expression} }).catch((error) => [error.code, error.details])`;
    const [errorCode, details] = (await outcome(code, { tools })) as [string, { kind: string; path: string }];
    expect([errorCode, details.kind]).toEqual(["SANDBOX_VALUE_REFUSED", kind]);
    expect(details.path).toMatch(/^value/);
  });
});

describe("as a tool gets it,", () => {
  const named = "Object.defineProperty(new Error('far'), 'name', { value: 'Lost' })";

  it.each([
    ["an error", `mcp.a.name({ error: ${named} })`],
    ["an error in a map", `mcp.a.name(new Map([['error', ${named}]]))`],
    ["an error in a list in a set", `mcp.a.name(new Set([[${named}]]))`],
  ])("%s keeps a name of its own", async (_, call) => {
    const naming = [{ id: "a:name", call: (args: unknown) => findError(args)?.name }];
    expect(await outcome(`return ${call}`, { tools: naming })).toBe("Lost");
  });
});

describe("from a tool,", () => {
  it.each<[name: string, value: unknown, kind: string]>([
    ["a typed array", new Uint8Array(4), "typed array"],
    ["a Buffer", Buffer.from("x"), "typed array"],
    ["an ArrayBuffer", new ArrayBuffer(4), "ArrayBuffer"],
    ["a function", () => 1, "function"],
    ["a proxy", new Proxy({}, {}), "proxy"],
    ["a cycle", cycle, "cycle"],
    ["a URL", new URL("http://a"), "URL"],
    ["a symbol", Symbol("x"), "symbol"],
  ])("%s is refused, and the code may catch that", async (_, value, kind) => {
    const returning = [{ id: "a:b", call: () => ({ value }) }];
    const code = "return mcp.a.b().catch((error) => error.details.kind)";
    expect(await outcome(code, { tools: returning })).toBe(kind);
  });

  it("any JSON arrives as it was", async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        // The one key that does not cross.
        fc.pre(!JSON.stringify(value).includes("__proto__"));
        const returning = [{ id: "a:b", call: () => value }];
        const arrived = await outcome("return mcp.a.b()", { tools: returning });
        expect(JSON.stringify(arrived)).toBe(JSON.stringify(value));
      }),
      { numRuns: 100 },
    );
  });
});

function findError(value: unknown): Error | undefined {
  if (value instanceof Error) return value;
  if (value instanceof Map || value instanceof Set) return [...value.values()].map(findError).find(Boolean);
  return Object.values(value as object)
    .map(findError)
    .find(Boolean);
}
