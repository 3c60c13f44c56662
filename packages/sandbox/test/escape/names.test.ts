import { createSandbox } from "@pml/sandbox";
import { describe, expect, it } from "vitest";

import { useSandbox } from "../shared-sandbox.js";

const { outcome, observe } = useSandbox();
const tools = [{ id: "a:b", call: () => "called" }];
const capabilities = { c: { code: "return 'called'" } };
const PROTOTYPE_NAMES = [
  "__proto__",
  "constructor",
  "prototype",
  "then",
  "toString",
  "valueOf",
  "hasOwnProperty",
  "toJSON",
];

describe("a capability cannot be named", () => {
  it.each([...PROTOTYPE_NAMES, "", "a b", "a:b:c:d", "a:__proto__", "a@then", "-st", "a\nb", "a(b)", "a//b"])(
    "%j",
    async (name) => {
      const sandbox = createSandbox({ pool: { warm: 0 } });
      const run = () => sandbox.run({ code: "", capabilities: [{ name, code: "" }] });
      expect(run).toThrow(expect.objectContaining({ code: "SANDBOX_INVALID_OPTIONS" }));
      await sandbox.close();
    },
  );
});

describe("a tool cannot have the id", () => {
  it.each(["", "a", ":b", "a:", "cap:x", ...PROTOTYPE_NAMES.map((name) => `a:${name}`), "__proto__:a"])(
    "%j",
    async (id) => {
      const sandbox = createSandbox({ pool: { warm: 0 } });
      const run = () => sandbox.run({ code: "", tools: [{ id, call: () => 1 }] });
      expect(run).toThrow(expect.objectContaining({ code: "SANDBOX_INVALID_OPTIONS" }));
      await sandbox.close();
    },
  );
});

describe("the way to tools", () => {
  it.each<[name: string, code: string, outcome: unknown]>([
    ["has no prototype", "return Object.getPrototypeOf(mcp)", null],
    ["gives nothing for __proto__", "return mcp.__proto__", undefined],
    ["gives nothing for a server's __proto__", "return mcp.a.__proto__", undefined],
    ["gives nothing for constructor", "return mcp.constructor", undefined],
    ["gives nothing for a capability's prototype", "return capabilities.c.__proto__", undefined],
    ["gives nothing for symbols", "return mcp[Symbol.iterator]", undefined],
    ["can be awaited", "await mcp; await mcp.a; return 'alive'", "alive"],
    ["can be made text", "return JSON.stringify([mcp, mcp.a])", "[{},{}]"],
    ["lists no names", "return [...Object.keys(mcp), ...Reflect.ownKeys(capabilities)]", []],
    ["cannot be assigned to", "mcp.a = 1", "SANDBOX_CODE_THREW"],
    ["cannot have a tool assigned", "mcp.a.b = () => 'forged'; return mcp.a.b()", "SANDBOX_CODE_THREW"],
    ["cannot have a tool defined", "Object.defineProperty(mcp.a, 'b', { value: 1 })", "SANDBOX_CODE_THREW"],
    ["cannot have a prototype set", "Object.setPrototypeOf(mcp, { x: 1 })", "SANDBOX_CODE_THREW"],
    ["cannot have a capability assigned", "capabilities.c = 1", "SANDBOX_CODE_THREW"],
    ["calls no server", "return mcp.a()", "SANDBOX_CODE_THREW"],
    ["takes no third name", "return mcp.a.b.c", undefined],
    ["cannot be constructed", "return new mcp.a.b()", "SANDBOX_CODE_THREW"],
    ["takes a name with a newline as a name", "return mcp['a\\nb'].c()", "SANDBOX_TOOL_NOT_FOUND"],
    ["takes a very long name as a name", "return mcp['x'.repeat(5000)].y()", "SANDBOX_TOOL_NOT_FOUND"],
    [
      "takes a capability's name with a prototype in it as a name",
      "return capabilities['a:__proto__']()",
      "SANDBOX_CAPABILITY_NOT_FOUND",
    ],
    ["leads to capabilities by mcp.cap", "return mcp.cap.c()", "called"],
    ["leads to no tool by a capability's name", "return capabilities['a:b']()", "SANDBOX_CAPABILITY_NOT_FOUND"],
  ])("%s", async (_, code, expected) => {
    expect(await outcome(code, { tools, capabilities })).toEqual(expected);
  });
});

describe("an input named like", () => {
  it.each([
    "mcp",
    "capabilities",
    "console",
    "pml",
    "__pmlHost",
    "__pmlOther",
    "Array",
    "Date",
    "URL",
    "undefined",
    "eval",
    "arguments",
    "await",
    "let",
    "a-b",
    "1a",
    "constructor",
    "toString",
  ])("%s does not take its place", async (name) => {
    const code = `const works = await mcp.a.b();
        return [works, [].constructor === Array, typeof console.log, args[${JSON.stringify(name)}]]`;
    expect(await outcome(code, { tools, context: { [name]: "forged" } })).toEqual([
      "called",
      true,
      "function",
      "forged",
    ]);
  });
});

describe("what code says, made to attack who reads it,", () => {
  it.each<[name: string, code: string]>([
    ["a hint with a proxy for a list", "pml.hint({ name: 'n', toolsUsed: new Proxy([], { get() { throw 1 } }) })"],
    [
      "a hint with a list that lies about itself",
      "class L extends Array { slice() { return { map: () => 7 } } static get [Symbol.species]() { throw 1 } } pml.hint({ toolsUsed: L.of('a') })",
    ],
    ["a hint with getters", "pml.hint({ get name() { throw 1 } })"],
    ["progress with a proxy", "pml.progress(new Proxy({}, { ownKeys() { throw 1 } }))"],
    [
      "progress with numbers that are none",
      "pml.progress({ message: {}, done: NaN, total: '9', percent: { valueOf() { throw 1 } } })",
    ],
    ["a log with a proxy", "console.log(new Proxy({}, { get() { throw 1 } }))"],
    ["a log with a message that is none", "pml.log({ level: { toString() { throw 1 } }, message: Symbol('x') })"],
  ])("%s, does no harm", async (_, code) => {
    expect(await outcome(`${code}; return 'alive'`)).toBe("alive");
  });
});

describe("the reporter, called by code that should not,", () => {
  it.each<[name: string, code: string]>([
    ["takes a proxy for a name", "__pmlHost.announce(new Proxy({}, { get() { throw 1 } }), [])"],
    ["takes a proxy for an iteration", "__pmlHost.decision('d', 'true', new Proxy([], { get() { throw 1 } }))"],
    [
      "takes an iteration with getters",
      "const list = [1]; Object.defineProperty(list, 0, { get() { throw 1 } }); __pmlHost.decision('d', 'true', list)",
    ],
    ["takes an endless iteration", "const list = []; list.length = 2 ** 32 - 1; __pmlHost.decision('d', 'true', list)"],
    ["takes an object for an outcome", "__pmlHost.decision('d', { toString() { throw 1 } }, [])"],
    ["takes an end for what never began", "__pmlHost.end(999); __pmlHost.end('x'); __pmlHost.end({})"],
    [
      "takes an end twice",
      "const token = __pmlHost.start('n', 'code:x', []); __pmlHost.end(token); __pmlHost.end(token)",
    ],
    ["takes nothing at all", "__pmlHost.announce(); __pmlHost.decision(); __pmlHost.start(); __pmlHost.end()"],
    ["cannot be changed", "try { __pmlHost.end = 1 } catch {}"],
  ])("%s", async (_, code) => {
    expect(await outcome(`${code}; return 'alive'`)).toBe("alive");
  });

  it("cannot end a tool call", async () => {
    const code = "const answer = mcp.a.b(); for (let id = 0; id < 10; id++) __pmlHost.end(id); return answer";
    const { events } = await observe({ code, tools });
    expect(events.map(({ type }) => type)).toEqual(["tool_start", "tool_end"]);
  });
});
