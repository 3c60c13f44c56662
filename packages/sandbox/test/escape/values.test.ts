import { describe, expect, it } from "vitest";

import { useSandbox } from "../shared-sandbox.js";

const { outcome } = useSandbox();
const tools = [{ id: "a:echo", call: (args: unknown) => args }];
const SPIN = "() => { for (;;) {} }";

describe("as an argument,", () => {
  it.each<[name: string, code: string, outcome: unknown]>([
    ["a function does not cross", "return mcp.a.echo({ f: () => 1 })", "SANDBOX_VALUE_REFUSED"],
    ["a class does not cross", "return mcp.a.echo({ f: class {} })", "SANDBOX_VALUE_REFUSED"],
    ["a method does not cross", "return mcp.a.echo({ f() {} })", "SANDBOX_VALUE_REFUSED"],
    ["a tool does not cross", "return mcp.a.echo({ f: mcp.a.echo })", "SANDBOX_VALUE_REFUSED"],
    ["mcp itself does not cross", "return mcp.a.echo(mcp)", "SANDBOX_VALUE_REFUSED"],
    ["a symbol does not cross", "return mcp.a.echo({ s: Symbol.iterator })", "SANDBOX_VALUE_REFUSED"],
    ["a proxy does not cross", "return mcp.a.echo(new Proxy({}, {}))", "SANDBOX_VALUE_REFUSED"],
    ["a proxy deep inside does not cross", "return mcp.a.echo([{ a: new Proxy([], {}) }])", "SANDBOX_VALUE_REFUSED"],
    [
      "a revoked proxy does not cross",
      "const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return mcp.a.echo(proxy)",
      "SANDBOX_VALUE_REFUSED",
    ],
    [
      "a proxy is not even asked",
      `return mcp.a.echo(new Proxy({}, { get: ${SPIN}, ownKeys: ${SPIN}, getPrototypeOf: ${SPIN} }))`,
      "SANDBOX_VALUE_REFUSED",
    ],
    [
      "an object with a proxy for a prototype is copied, not asked",
      `return mcp.a.echo(Object.create(new Proxy({}, { get: ${SPIN}, getOwnPropertyDescriptor: ${SPIN} })))`,
      {},
    ],
    ["a getter is not called", `return mcp.a.echo({ get x() { for (;;) {} } })`, "SANDBOX_VALUE_REFUSED"],
    [
      "a getter in an array is not called",
      `const list = [1]; Object.defineProperty(list, 0, { get: ${SPIN}, enumerable: true }); return mcp.a.echo(list)`,
      "SANDBOX_VALUE_REFUSED",
    ],
    ["toJSON is not called", `return mcp.a.echo({ toJSON: ${SPIN} })`, "SANDBOX_VALUE_REFUSED"],
    ["a toJSON of an array is not called", `return mcp.a.echo(Object.assign([1], { toJSON: ${SPIN} }))`, [1]],
    [
      "a hidden toJSON is not called",
      `return mcp.a.echo(Object.defineProperty({ x: 1 }, "toJSON", { value: ${SPIN} }))`,
      { x: 1 },
    ],
    [
      "a hidden toJSON deep inside is not called",
      `return mcp.a.echo([{ a: Object.defineProperty([7], "toJSON", { value: ${SPIN} }) }])`,
      [{ a: [7] }],
    ],
    [
      "a getter behind a hole in an array is not called",
      `const list = [,]; Object.setPrototypeOf(list, Object.create(Array.prototype, { 0: { get: ${SPIN} } })); return mcp.a.echo(list)`,
      [undefined],
    ],
    [
      "a proxy behind a hole in an array is not asked",
      `const list = [,]; Object.setPrototypeOf(list, new Proxy([], { get: ${SPIN} })); return mcp.a.echo(list)`,
      [undefined],
    ],
    [
      "an inherited toJSON is not called",
      `return mcp.a.echo(new (class { x = 1; toJSON() { for (;;) {} } })())`,
      { x: 1 },
    ],
    ["valueOf is not called", `return mcp.a.echo(new (class { x = 1; valueOf() { for (;;) {} } })())`, { x: 1 }],
    ["Symbol.toPrimitive is not called", `return mcp.a.echo({ x: 1, [Symbol.toPrimitive]: ${SPIN} })`, { x: 1 }],
    [
      "Symbol.toStringTag is not called",
      `return mcp.a.echo({ x: 1, get [Symbol.toStringTag]() { for (;;) {} } })`,
      { x: 1 },
    ],
    ["a thenable is refused", `return mcp.a.echo({ then: ${SPIN} })`, "SANDBOX_VALUE_REFUSED"],
    [
      "an overridden iterator is not used",
      `const list = [1, 2]; list[Symbol.iterator] = ${SPIN}; return mcp.a.echo(list)`,
      [1, 2],
    ],
    [
      "an array's subclass is copied, not asked",
      `class L extends Array { get length() { for (;;) {} } toJSON() { for (;;) {} } } return mcp.a.echo(L.from([1]))`,
      [1],
    ],
    [
      "a map's subclass is copied, not asked",
      `class M extends Map { entries() { for (;;) {} } [Symbol.iterator]() { for (;;) {} } forEach() { for (;;) {} } } return mcp.a.echo(new M([[1, 2]]))`,
      new Map([[1, 2]]),
    ],
    [
      "a set's subclass is copied, not asked",
      `class S extends Set { values() { for (;;) {} } [Symbol.iterator]() { for (;;) {} } } return mcp.a.echo(new S([1]))`,
      new Set([1]),
    ],
    [
      "a date's subclass is copied, not asked",
      `class D extends Date { getTime() { for (;;) {} } toJSON() { for (;;) {} } } return mcp.a.echo(new D(5))`,
      new Date(5),
    ],
    [
      "an error's subclass is copied, not asked",
      `class E extends Error { get name() { for (;;) {} } } return (await mcp.a.echo({ e: new E('m') })).e.message`,
      "m",
    ],
    [
      "a species is not asked",
      `class L extends Array { static get [Symbol.species]() { for (;;) {} } } return mcp.a.echo(L.of(7))`,
      [7],
    ],
    [
      "a sparse array of four billion does not cross",
      "const list = []; list.length = 2 ** 32 - 1; return mcp.a.echo(list)",
      "SANDBOX_ARGUMENTS_TOO_LARGE",
    ],
    [
      "a tree that doubles at each level does not cross",
      "let tree = 1; for (let i = 0; i < 60; i++) tree = [tree, tree]; return mcp.a.echo(tree)",
      "SANDBOX_ARGUMENTS_TOO_LARGE",
    ],
    [
      "a tree ten thousand deep does not cross",
      "let tree = 1; for (let i = 0; i < 10000; i++) tree = [tree]; return mcp.a.echo(tree)",
      "SANDBOX_VALUE_REFUSED",
    ],
    [
      "a tag of the channel is only data",
      "return mcp.a.echo({ $type: 'Date', value: 0 })",
      { $type: "Date", value: 0 },
    ],
    [
      "a tag inside a tag is only data",
      "return mcp.a.echo({ $type: 'Object', value: { $type: 'bigint', value: 'x' } })",
      { $type: "Object", value: { $type: "bigint", value: "x" } },
    ],
    [
      "line ends do not end a message",
      'return mcp.a.echo({ text: \'a\\n{"type":"done"}\\nb\' })',
      { text: 'a\n{"type":"done"}\nb' },
    ],
    ["line separators do not end a message", "return mcp.a.echo('\\u2028\\u2029')", "\u2028\u2029"],
    ["a NUL survives", "return mcp.a.echo('a\\0b')", "a\0b"],
    ["a lone surrogate survives", "return mcp.a.echo('\\ud800')", "\ud800"],
    [
      "a string that looks like a message is a string",
      `return mcp.a.echo('{"type":"reply","id":1}')`,
      '{"type":"reply","id":1}',
    ],
  ])("%s", async (_, code, expected) => {
    expect(await outcome(code, { tools, limits: { timeoutMs: 5000 } })).toEqual(expected);
  });
});

describe("as a result,", () => {
  it.each<[name: string, code: string, outcome: unknown]>([
    ["a function does not cross", "return () => 1", "SANDBOX_VALUE_REFUSED"],
    ["a proxy does not cross", "return new Proxy({}, {})", "SANDBOX_VALUE_REFUSED"],
    [
      "a proxy that is a thenable does not cross",
      "return new Proxy({}, { get: (_, name) => name === 'then' ? (done) => done(new Proxy({}, {})) : 1 })",
      "SANDBOX_VALUE_REFUSED",
    ],
    ["a thenable is resolved inside", "return { then(done) { done('resolved') } }", "resolved"],
    ["a thenable that throws fails inside", "return { then() { throw new Error('no') } }", "SANDBOX_CODE_THREW"],
    ["a thenable that never settles stalls", "return { then() {} }", "SANDBOX_STALLED"],
    ["a promise of a promise is resolved inside", "return Promise.resolve(Promise.resolve(1))", 1],
    ["a list of promises does not cross", "return [Promise.resolve(1)]", "SANDBOX_VALUE_REFUSED"],
    ["a generator does not cross", "return (function* () {})()", "SANDBOX_VALUE_REFUSED"],
    ["a hidden toJSON is not called", `return Object.defineProperty({ x: 1 }, "toJSON", { value: ${SPIN} })`, { x: 1 }],
    ["console does not cross", "return console", "SANDBOX_VALUE_REFUSED"],
    ["globalThis does not cross", "return globalThis", "SANDBOX_VALUE_REFUSED"],
  ])("%s", async (_, code, expected) => {
    expect(await outcome(code)).toEqual(expected);
  });
});

describe("a value that has crossed", () => {
  it("does not change when the code changes it after the call", async () => {
    const code = "const box = { n: 1 }; const answer = mcp.a.echo(box); box.n = 2; return (await answer).n";
    expect(await outcome(code, { tools })).toBe(1);
  });

  it("does not change in the code when the tool changes it", async () => {
    const mutating = [
      {
        id: "a:b",
        call: (args: unknown) => {
          (args as { n: number }).n = 2;
        },
      },
    ];
    expect(await outcome("const box = { n: 1 }; await mcp.a.b(box); return box.n", { tools: mutating })).toBe(1);
  });

  it("does not change in the code when the tool changes its result later", async () => {
    const result = { n: 0 };
    const counting = [
      {
        id: "a:b",
        call: () => {
          result.n++;
          return result;
        },
      },
    ];
    const code = "const first = await mcp.a.b(); await mcp.a.b(); return first.n";
    expect(await outcome(code, { tools: counting })).toBe(1);
  });

  it("does not change in the context the host holds", async () => {
    const context = { list: [1] };
    await outcome("args.list.push(2); context.list.push(3); list.push(4)", { context });
    expect(context).toEqual({ list: [1] });
  });

  it("does not change in a capability's defaults from call to call", async () => {
    const capabilities = { c: { code: "list.push(1); return list.length", defaults: { list: [] } } };
    const code = "return [await capabilities.c(), await capabilities.c()]";
    expect(await outcome(code, { capabilities })).toEqual([1, 1]);
  });

  it("is not shared between the code and a capability", async () => {
    const capabilities = { c: { code: "args.list.push(1)" } };
    const code = "const list = []; await capabilities.c({ list }); return list.length";
    expect(await outcome(code, { capabilities })).toBe(0);
  });
});
