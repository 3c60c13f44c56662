import { describe, expect, it } from "vitest";

import { useSandbox } from "../shared-sandbox.js";

const { outcome, run } = useSandbox();
const tools = [
  {
    id: "a:fails",
    call: () => {
      throw Object.assign(new Error("no luck"), { secret: { key: "s3cret" } });
    },
  },
];
const PREPARE = "(error, frames) => frames";

describe("an error", () => {
  it.each<[name: string, code: string, outcome: unknown]>([
    ["takes no prepareStackTrace", `Error.prepareStackTrace = ${PREPARE}; return new Error().stack`, ""],
    [
      "takes no defined prepareStackTrace",
      `Object.defineProperty(Error, "prepareStackTrace", { value: ${PREPARE} })`,
      "SANDBOX_CODE_THREW",
    ],
    [
      "takes no prepareStackTrace on its prototype",
      `Error.prototype.prepareStackTrace = ${PREPARE}`,
      "SANDBOX_CODE_THREW",
    ],
    [
      "takes no prepareStackTrace on a subclass",
      `class Sub extends Error { static prepareStackTrace(error, frames) { return frames } } return typeof new Sub().stack`,
      "string",
    ],
    ["shows no stack of the host", "return String(new Error('x').stack ?? '').includes('/')", false],
    [
      "of the engine shows no stack of the host",
      "try { null.x } catch (error) { return String(error.stack ?? '').includes('/') }",
      false,
    ],
    [
      "of a tool shows no stack of the host",
      "return mcp.a.fails().catch((error) => String(error.stack ?? '').includes('/'))",
      false,
    ],
    [
      "of a tool carries nothing but name and message",
      "return mcp.a.fails().catch((error) => [Object.keys(error), Object.keys(error.details)])",
      [
        ["code", "details"],
        ["tool", "name", "message", "traceId"],
      ],
    ],
    ["of a tool has no cause", "return mcp.a.fails().catch((error) => 'cause' in error)", false],
    [
      "can be captured without frames",
      "const target = {}; Error.captureStackTrace?.(target); return String(target.stack ?? '').includes('/')",
      false,
    ],
    [
      "has no stackTraceLimit that reaches the host",
      "Error.stackTraceLimit = Infinity; return String(new Error().stack ?? '').includes('/')",
      false,
    ],
    [
      "with a getter for a message is not asked",
      "const error = new Error(); Object.defineProperty(error, 'message', { get() { for (;;) {} } }); throw error",
      "SANDBOX_CODE_THREW",
    ],
    [
      "with a getter for a name is not asked",
      "const error = new Error(); Object.defineProperty(error, 'name', { get() { for (;;) {} } }); throw error",
      "SANDBOX_CODE_THREW",
    ],
    [
      "with a getter for a stack is not asked",
      "const error = new Error(); Object.defineProperty(error, 'stack', { get() { for (;;) {} } }); throw error",
      "SANDBOX_CODE_THREW",
    ],
    [
      "with an inherited getter for a stack is not asked",
      "const error = new Error(); delete error.stack; Object.setPrototypeOf(error, { get stack() { for (;;) {} } }); throw error",
      "SANDBOX_CODE_THREW",
    ],
    [
      "shares no accessor for its stack that could be written on",
      "const { get, set } = Object.getOwnPropertyDescriptor(new Error(), 'stack'); return [get, set].every((each) => Object.isFrozen(each))",
      true,
    ],
    ["with a toString is not asked", "throw { toString() { for (;;) {} } }", "SANDBOX_CODE_THREW"],
    [
      "that is a proxy is not asked",
      "throw new Proxy(new Error(), { get() { for (;;) {} }, getPrototypeOf() { for (;;) {} } })",
      "SANDBOX_CODE_THREW",
    ],
    [
      "that is a revoked proxy is not asked",
      "const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); throw proxy",
      "SANDBOX_CODE_THREW",
    ],
    [
      "with a proxy for a prototype is not asked",
      "const error = new Error(); Object.setPrototypeOf(error, new Proxy({}, { get() { for (;;) {} }, getOwnPropertyDescriptor() { for (;;) {} } })); throw error",
      "SANDBOX_CODE_THREW",
    ],
    ["that is a symbol is one", "throw Symbol('x')", "SANDBOX_CODE_THREW"],
    ["that is a function is one", "throw () => 1", "SANDBOX_CODE_THREW"],
    ["that is undefined is one", "throw undefined", "SANDBOX_CODE_THREW"],
    [
      "cannot claim to be a limit",
      "throw Object.assign(new Error('x'), { code: 'SANDBOX_TIMEOUT' })",
      "SANDBOX_CODE_THREW",
    ],
    [
      "of the sandbox cannot be made to say something else",
      "return mcp.a.fails().catch((error) => { error.code = 'SANDBOX_MEMORY'; throw error })",
      "SANDBOX_CODE_THREW",
    ],
    [
      "of the sandbox stays what it was when its details are changed",
      "return mcp.a.fails().catch((error) => { error.details.self = error.details; error.details.toJSON = () => 'forged'; throw error })",
      "SANDBOX_TOOL_FAILED",
    ],
    [
      "in a timer does not end the child",
      "setTimeout(() => { throw new Error('late') }, 0); return new Promise((done) => setTimeout(done, 20, 'alive'))",
      "alive",
    ],
    [
      "in a promise nobody awaits does not end the child",
      "Promise.reject(new Error('lost')); return new Promise((done) => setTimeout(done, 20, 'alive'))",
      "alive",
    ],
    [
      "in a promise rejected with a proxy does not end the child",
      "Promise.reject(new Proxy({}, { get() { for (;;) {} } })); return new Promise((done) => setTimeout(done, 20, 'alive'))",
      "alive",
    ],
  ])("%s", async (_, code, expected) => {
    expect(await outcome(code, { tools, limits: { timeoutMs: 5000 } })).toEqual(expected);
  });

  it("of a stack overflow inside the sandbox's own functions leads nowhere", async () => {
    const code = `const seen = [];
      const dive = (use) => { try { dive(use) } catch { try { use() } catch (error) { seen.push(error) } } };
      for (const use of [() => console.log({}), () => mcp.a.fails({}), () => new URL("bad"), () => structuredClone({}),
        () => setTimeout(() => {}), () => pml.progress({}), () => __pmlHost.start("n", "code:x", [])]) dive(use);
      return seen.some((error) => { try { return error.constructor.constructor("return this")() } catch { return false } })`;
    expect([false, "SANDBOX_LOG_LINES", "SANDBOX_TOOL_CALLS"]).toContain(await outcome(code, { tools }));
  });

  it("has a message of any length cut", async () => {
    const result = await run({ code: "throw new Error('x'.repeat(1e6))" });
    expect(result.status === "error" && result.error.message.length).toBeLessThan(20_000);
  });
});
