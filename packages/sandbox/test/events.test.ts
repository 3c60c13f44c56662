import { createSandbox, type RunEvent } from "@pml/sandbox";
import { describe, expect, it } from "vitest";

import { useSandbox } from "./shared-sandbox.js";

const { observe, run } = useSandbox();
const tools = [
  { id: "fs:read", call: (args: unknown) => ({ content: `of ${(args as { path: string }).path}` }) },
  {
    id: "fs:fails",
    call: () => {
      throw new TypeError("no such file");
    },
  },
  { id: "time:wait", call: (args: unknown) => new Promise((done) => setTimeout(done, (args as { ms: number }).ms)) },
];

describe("a tool call", () => {
  it("is reported with its arguments, result, ids and times", async () => {
    const { result, events } = await observe({ code: "return mcp.fs.read({ path: 'a' })", tools });
    const traceId = `${result.traceId}.1`;
    const ids = { traceId, parentTraceId: result.traceId, tool: "fs:read" };
    expect(events).toEqual([
      { type: "tool_start", ...ids, ts: expect.any(Number), args: { path: "a" } },
      {
        type: "tool_end",
        ...ids,
        ts: expect.any(Number),
        durationMs: expect.any(Number),
        success: true,
        result: { content: "of a" },
      },
    ]);
    const [start, end] = events as [RunEvent, Extract<RunEvent, { type: "tool_end" }>];
    expect(end.durationMs).toBe(end.ts - start.ts);
  });

  it("that fails is reported with its error", async () => {
    const { events } = await observe({ code: "await mcp.fs.fails().catch(() => {})", tools });
    expect(events.at(-1)).toMatchObject({
      type: "tool_end",
      success: false,
      error: { code: "SANDBOX_TOOL_FAILED", details: { name: "TypeError", message: "no such file" } },
    });
  });

  it("that fails and is not caught has the tool's own error as its cause", async () => {
    const result = await run({ code: "await mcp.fs.fails()", tools });
    expect(result).toMatchObject({ error: { code: "SANDBOX_TOOL_FAILED", cause: new TypeError("no such file") } });
  });

  it("of a tool that is not there is reported too", async () => {
    const { events } = await observe({ code: "await mcp.fs.gone().catch(() => {})", tools });
    expect(events.map(({ type }) => type)).toEqual(["tool_start", "tool_end"]);
    expect(events.at(-1)).toMatchObject({ success: false, error: { code: "SANDBOX_TOOL_NOT_FOUND" } });
  });

  it("that is cut off by the end of the run has an end", async () => {
    const { events } = await observe({ code: "mcp.time.wait({ ms: 60000 }); return 1", tools });
    expect(events.at(-1)).toMatchObject({ type: "tool_end", tool: "time:wait", success: false });
  });

  it("keeps the arguments it was made with, whatever the tool does to them", async () => {
    const rude = [{ id: "a:b", call: (args: unknown) => Object.assign(args as object, { n: 2 }) }];
    const { events } = await observe({ code: "return mcp.a.b({ n: 1 })", tools: rude });
    expect(events[0]).toMatchObject({ args: { n: 1 } });
  });

  it("tells the tool its ids, and aborts it when the run is over", async () => {
    const seen: unknown[] = [];
    const slow = [
      {
        id: "a:b",
        call: (_: unknown, context: { signal: AbortSignal; traceId: string }) => {
          context.signal.addEventListener("abort", () => seen.push(context.traceId));
          return new Promise(() => {});
        },
      },
    ];
    const { traceId } = await run({ code: "await mcp.a.b()", tools: slow, limits: { timeoutMs: 100 } });
    expect(seen).toEqual([`${traceId}.1`]);
  });
});

describe("times", () => {
  it("never go back, and show what ran after what", async () => {
    const code = "for (let i = 0; i < 20; i++) { await mcp.fs.read({ path: i }); console.log(i) }";
    const { events } = await observe({ code, tools });
    expect(events.map(({ ts }) => ts)).toEqual(events.map(({ ts }) => ts).sort((a, b) => a - b));
  });

  it("overlap for calls made together", async () => {
    const code = "await Promise.all([mcp.time.wait({ ms: 20 }), mcp.time.wait({ ms: 20 })])";
    const { events } = await observe({ code, tools });
    expect(events.map(({ type }) => type)).toEqual(["tool_start", "tool_start", "tool_end", "tool_end"]);
  });
});

describe("a capability call", () => {
  it("stands around what happens in it, at any depth", async () => {
    const capabilities = {
      outer: { code: "console.log('outer'); return capabilities.inner(args)" },
      inner: { code: "return (await mcp.fs.read(args)).content" },
    };
    const { result, events } = await observe({
      code: "return capabilities.outer({ path: 'a' })",
      tools,
      capabilities,
    });
    const id = (n: number): string => `${result.traceId}.${n}`;
    expect(events.map(({ type, traceId, parentTraceId }) => [type, traceId, parentTraceId])).toEqual([
      ["capability_start", id(1), result.traceId],
      ["log", id(1), result.traceId],
      ["capability_start", id(2), id(1)],
      ["tool_start", id(3), id(2)],
      ["tool_end", id(3), id(2)],
      ["capability_end", id(2), id(1)],
      ["capability_end", id(1), result.traceId],
    ]);
    expect(events[0]).toMatchObject({ capability: "outer", args: { path: "a" } });
    expect(events.at(-1)).toMatchObject({ capability: "outer", success: true, result: "of a" });
  });

  it("made at the same time as another keeps its own calls", async () => {
    const capabilities = { one: { code: "await mcp.time.wait({ ms }); await mcp.fs.read({ path: name })" } };
    const code = "await Promise.all([capabilities.one({ ms: 20, name: 'a' }), capabilities.one({ ms: 5, name: 'b' })])";
    const { events } = await observe({ code, tools, capabilities });
    const starts = events.filter((event) => event.type === "capability_start");
    for (const [index, name] of ["a", "b"].entries()) {
      const read = events.find(
        (event) => event.type === "tool_start" && (event.args as { path?: string }).path === name,
      );
      expect(read?.parentTraceId).toBe(starts[index]?.traceId);
    }
  });

  it("that fails says why", async () => {
    const capabilities = { bad: { code: "\nthrow new RangeError('too far')" } };
    const { events } = await observe({ code: "await capabilities.bad().catch(() => {})", capabilities });
    expect(events.at(-1)).toMatchObject({
      type: "capability_end",
      success: false,
      error: {
        code: "SANDBOX_CODE_THREW",
        details: { name: "RangeError", line: 2, frames: [{ unit: "bad" }, { unit: "code" }] },
      },
    });
  });

  it.each([
    ["by name", "capabilities.plain()"],
    ["by namespace and action", "capabilities.ns.action()"],
    ["by display name", "capabilities['ns:action']()"],
    ["by name and version", "capabilities['ns:action@v1']()"],
    ["as a tool", "mcp.cap['ns:action']()"],
  ])("can be spelt %s", async (_, call) => {
    const code = "return 'found'";
    const capabilities = [
      { name: "plain", code },
      { name: "ns:action", code },
      { name: "ns:action@v1", code },
    ];
    expect(await run({ code: `return ${call}`, capabilities })).toMatchObject({ value: "found" });
  });

  it("of a namespace says what is in it", async () => {
    const capabilities = { "fs:read": { code: "" }, "fs:write": { code: "" } };
    const result = await run({ code: "return capabilities.fs()", capabilities });
    expect(result).toMatchObject({
      error: { code: "SANDBOX_CAPABILITY_NOT_FOUND", details: { suggestions: ["fs:read", "fs:write"] } },
    });
  });
});

describe("instrumented code", () => {
  it("puts node and iteration on the call it announced, and on no other", async () => {
    const code = "__pmlHost.announce('n1', [2]); await mcp.fs.read({ path: 'a' }); await mcp.fs.read({ path: 'b' })";
    const { events } = await observe({ code, tools });
    expect(events.map((event) => [event.nodeId, event.iteration])).toEqual([
      ["n1", [2]],
      ["n1", [2]],
      [undefined, undefined],
      [undefined, undefined],
    ]);
  });

  it("announces capabilities as well", async () => {
    const code = "__pmlHost.announce('n7', []); await capabilities.c()";
    const { events } = await observe({ code, capabilities: { c: { code: "" } } });
    expect(events.map(({ nodeId }) => nodeId)).toEqual(["n7", "n7"]);
  });

  it("reports decisions", async () => {
    const { result, events } = await observe({ code: "__pmlHost.decision('d1', 'true', [0, 1])" });
    expect(events).toEqual([
      {
        type: "decision",
        traceId: result.traceId,
        ts: expect.any(Number),
        nodeId: "d1",
        outcome: "true",
        iteration: [0, 1],
      },
    ]);
  });

  it("is told which way to decide, in capabilities by the nodes that lead there", async () => {
    const ask = "__pmlHost.choose?.('d1') ?? 'free'";
    const code = `__pmlHost.announce('n2', []); return [${ask}, await capabilities.c(), await capabilities.c()]`;
    const capabilities = { c: { code: `return ${ask}` } };
    const request = { code, capabilities, outcomes: { d1: "own", "n2/d1": "inner" } };
    expect(await run(request)).toMatchObject({ value: ["own", "inner", "free"] });
    expect(await run({ code, capabilities })).toMatchObject({ value: ["free", "free", "free"] });
  });

  it("reports pure operations as tools", async () => {
    const code = "const t = __pmlHost.start('n2', 'code:filter', []); __pmlHost.end(t)";
    const { events } = await observe({ code });
    expect(events).toMatchObject([
      { type: "tool_start", tool: "code:filter", nodeId: "n2" },
      { type: "tool_end", tool: "code:filter", nodeId: "n2", success: true },
    ]);
  });

  it("that throws in a pure operation leaves it failed", async () => {
    const { events } = await observe({ code: "__pmlHost.start('n2', 'code:map', []); null.x" });
    expect(events.at(-1)).toMatchObject({ type: "tool_end", tool: "code:map", success: false });
  });
});

describe("what the code says", () => {
  it.each<[name: string, code: string, event: object]>([
    [
      "console.log is info",
      "console.log('a', 1, { b: 2 })",
      { type: "log", level: "info", message: 'a 1 {"b":2}', data: { b: 2 } },
    ],
    ["console.warn", "console.warn('careful')", { type: "log", level: "warn", message: "careful" }],
    [
      "console.error with an error",
      "console.error(new TypeError('bad'))",
      { type: "log", level: "error", message: "TypeError: bad" },
    ],
    [
      "console.debug",
      "console.debug(undefined, null, true, 1n)",
      { type: "log", level: "debug", message: "undefined null true 1" },
    ],
    ["console.log of a function", "console.log(() => 1, Symbol('s'))", { type: "log", message: "[function] [symbol]" }],
    ["console.log of a cycle", "const a = {}; a.a = a; console.log(a)", { type: "log", message: "[object]" }],
    [
      "pml.log with a level",
      "pml.log({ level: 'warn', message: 'm', data: { a: 1 } })",
      { type: "log", level: "warn", message: "m", data: { a: 1 } },
    ],
    ["pml.log with text", "pml.log('m')", { type: "log", level: "info", message: "m" }],
    [
      "pml.progress",
      "pml.progress({ message: 'half', done: 1, total: 2, percent: 50 })",
      { type: "progress", message: "half", done: 1, total: 2, percent: 50 },
    ],
    ["pml.progress with text", "pml.progress('half')", { type: "progress", message: "half" }],
    [
      "pml.hint",
      "pml.hint({ name: 'fs:tidy', description: 'tidies', toolsUsed: ['fs:read'] })",
      { type: "capability_hint", name: "fs:tidy", description: "tidies", toolsUsed: ["fs:read"] },
    ],
    [
      "an error nobody caught",
      "Promise.reject(new Error('lost')); await new Promise((done) => setTimeout(done, 5))",
      { type: "log", level: "error", message: "Uncaught: The code threw Error: lost" },
    ],
  ])("%s", async (_, code, event) => {
    const { events } = await observe({ code });
    expect(events).toMatchObject([event]);
  });

  it("is cut where it is long", async () => {
    const { events } = await observe({ code: "console.log('x'.repeat(1e6))" });
    expect((events[0] as { message: string }).message.length).toBeLessThan(11_000);
  });
});

describe("the stream", () => {
  it("is live: what happened is seen before the run ends, even if the code hangs right after", async () => {
    await using sandbox = createSandbox({ pool: { size: 1 } });
    const { events, result } = sandbox.run({ code: "console.log('before'); for (;;) {}", limits: { timeoutMs: 2000 } });
    const first = await events[Symbol.asyncIterator]().next();
    expect(first.value).toMatchObject({ type: "log", message: "before" });
    expect(await Promise.race([result, "still running"])).toBe("still running");
  });

  it("ends with the run, and holds everything for a reader who comes late", async () => {
    await using sandbox = createSandbox({ pool: { size: 1 } });
    const { events, result } = sandbox.run({ code: "console.log(1); console.log(2)" });
    await result;
    const seen: RunEvent[] = [];
    for await (const event of events) seen.push(event);
    expect(seen).toHaveLength(2);
  });

  it("can be left early", async () => {
    await using sandbox = createSandbox({ pool: { size: 1 } });
    const { events, result } = sandbox.run({ code: "for (let i = 0; i < 100; i++) console.log(i); return 'done'" });
    for await (const event of events) if (event.type === "log") break;
    expect(await result).toMatchObject({ value: "done" });
  });
});
