import { createSandbox, type Runner, SandboxError, type SandboxOptions } from "@pml/sandbox";
import { describe, expect, it } from "vitest";

const tools = [
  { id: "a:quick", call: () => 1 },
  { id: "a:never", call: () => new Promise(() => {}) },
];

describe("a sandbox", () => {
  it("leaves the host's own realm as it was", async () => {
    await using sandbox = createSandbox({ runner: "worker" });
    await sandbox.run({ code: "return 1" }).result;
    expect(Object.isFrozen(Array.prototype)).toBe(false);
    expect("Compartment" in globalThis || "lockdown" in globalThis).toBe(false);
  });

  it("runs more at a time than it has children, first come first served", async () => {
    await using sandbox = createSandbox({ pool: { size: 2 } });
    const runs = Array.from({ length: 30 }, (_, n) => sandbox.run({ code: "return n", context: { n } }).result);
    expect((await Promise.all(runs)).map((result) => result.status === "success" && result.value)).toEqual(
      Array.from({ length: 30 }, (_, n) => n),
    );
  });

  it("replaces a child after as many runs as it may serve", async () => {
    await using sandbox = createSandbox({ pool: { size: 1, maxRuns: 2 } });
    for (let n = 0; n < 7; n++) expect(await sandbox.run({ code: "return 1" }).result).toMatchObject({ value: 1 });
  });

  it("gives each run a child that served no other, if that is asked for", async () => {
    await using sandbox = createSandbox({ pool: { size: 2, maxRuns: 1 } });
    const runs = Array.from({ length: 6 }, (_, n) => sandbox.run({ code: "return n", context: { n } }).result);
    expect((await Promise.all(runs)).map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => "success"));
  });

  it("gives a run the memory it asks for, in a child of its own", async () => {
    await using sandbox = createSandbox({ pool: { size: 1 }, limits: { memoryMb: 32 } });
    const code = "return new Array(6e6).fill(0.5).length";
    expect(await sandbox.run({ code }).result).toMatchObject({ error: { code: "SANDBOX_MEMORY" } });
    expect(await sandbox.run({ code, limits: { memoryMb: 256 } }).result).toMatchObject({ value: 6e6 });
  });

  it("takes its ids from where one wants", async () => {
    await using sandbox = createSandbox({ newId: () => "run-1" });
    expect(sandbox.run({ code: "" }).traceId).toBe("run-1");
  });

  it("runs in a runner of one's own", async () => {
    const runner: Runner = {
      run: async ({ code }) => ({ ok: true, value: `ran ${code}`, clock: [], droppedEvents: 0 }),
      close: async () => {},
    };
    await using sandbox = createSandbox({ runner });
    expect(await sandbox.run({ code: "x" }).result).toMatchObject({ status: "success", value: "ran x" });
  });

  it.each<[name: string, options: unknown]>([
    ["a runner that is none", { runner: "thread" }],
    ["a limit that is none", { limits: { maxToolCall: 1 } }],
    ["a limit of nothing", { limits: { timeoutMs: 0 } }],
    ["a limit in text", { limits: { timeoutMs: "1" } }],
    ["too little memory to start", { limits: { memoryMb: 1 } }],
    ["more time than a timer can wait", { limits: { timeoutMs: 2 ** 31 } }],
    ["more memory than a number of V8's can hold", { limits: { memoryMb: Number.MAX_SAFE_INTEGER } }],
    ["a pool without room", { pool: { size: 0 } }],
  ])("refuses %s", (_, options) => {
    expect(() => createSandbox(options as SandboxOptions)).toThrow(SandboxError);
  });

  it("refuses two tools of one id, two capabilities of one name, and no code", async () => {
    await using sandbox = createSandbox({ pool: { warm: 0 } });
    const twice = [tools[0], tools[0]] as typeof tools;
    const capabilities = [
      { name: "a", code: "" },
      { name: "a", code: "" },
    ];
    expect(() => sandbox.run({ code: "", tools: twice })).toThrow("two tools");
    expect(() => sandbox.run({ code: "", capabilities })).toThrow("two capabilities");
    expect(() => sandbox.run({ code: "", capabilities: { "a:b:c:d": { code: "" } } })).toThrow("cannot be the name");
    const qualified = { "acme.shared:fs:read_json@v1.2.0": { code: "return 1" } };
    const run = sandbox.run({
      code: 'return capabilities["acme.shared:fs:read_json@v1.2.0"]()',
      capabilities: qualified,
    });
    expect(await run.result).toMatchObject({ value: 1 });
    expect(() => sandbox.run({} as { code: string })).toThrow("no code");
  });
});

describe("aborting", () => {
  it.each<[stage: string, code: string, afterMs: number]>([
    ["before it starts", "return 1", -1],
    ["while its child starts", "for (;;) {}", 0],
    ["in a loop", "for (;;) {}", 250],
    ["in a flood of microtasks", "for (;;) await null", 250],
    ["while a tool is at work", "await mcp.a.never()", 250],
    ["while a timer runs", "await new Promise((done) => setTimeout(done, 60000))", 250],
    ["between tool calls", "for (;;) await mcp.a.quick()", 250],
    ["in a capability", "await capabilities.c()", 250],
  ])("ends a run %s", async (_, code, afterMs) => {
    await using sandbox = createSandbox({ pool: { size: 1 }, limits: { maxToolCalls: 1e6 } });
    const controller = new AbortController();
    if (afterMs < 0) controller.abort();
    else setTimeout(() => controller.abort(), afterMs);
    const capabilities = { c: { code: "for (;;) {}" } };
    const result = await sandbox.run({ code, tools, capabilities, signal: controller.signal }).result;
    expect(result).toMatchObject({ status: "error", error: { code: "SANDBOX_ABORTED" } });
    expect(await sandbox.run({ code: "return 1" }).result).toMatchObject({ value: 1 });
  });

  it("ends a run that waits for a child, and those behind it get theirs", async () => {
    await using sandbox = createSandbox({ pool: { size: 1 } });
    const controller = new AbortController();
    const first = sandbox.run({ code: "await new Promise((done) => setTimeout(done, 100)); return 1" }).result;
    const second = sandbox.run({ code: "return 2", signal: controller.signal }).result;
    const third = sandbox.run({ code: "return 3" }).result;
    controller.abort();
    expect(await second).toMatchObject({ error: { code: "SANDBOX_ABORTED" } });
    expect(await Promise.all([first, third])).toMatchObject([{ value: 1 }, { value: 3 }]);
  });

  it("ends a run right after it was started, on a child that is ready", async () => {
    await using sandbox = createSandbox({ pool: { size: 1 } });
    await sandbox.run({ code: "return 1" }).result;
    const controller = new AbortController();
    const run = sandbox.run({ code: "for (;;) {}", signal: controller.signal });
    controller.abort();
    expect(await run.result).toMatchObject({ error: { code: "SANDBOX_ABORTED" } });
  });

  it("after the end changes nothing", async () => {
    await using sandbox = createSandbox({ pool: { size: 1 } });
    const controller = new AbortController();
    const result = await sandbox.run({ code: "return 1", signal: controller.signal }).result;
    controller.abort();
    expect(result).toMatchObject({ status: "success" });
    expect(await sandbox.run({ code: "return 2" }).result).toMatchObject({ value: 2 });
  });
});

describe("closing", () => {
  it("ends what runs and what waits, and takes nothing more", async () => {
    const sandbox = createSandbox({ pool: { size: 1 } });
    const running = sandbox.run({ code: "for (;;) {}" }).result;
    const waiting = sandbox.run({ code: "return 1" }).result;
    await sandbox.close();
    const closed = { status: "error", error: { code: "SANDBOX_CLOSED" } };
    expect(await Promise.all([running, waiting])).toMatchObject([closed, closed]);
    expect(() => sandbox.run({ code: "" })).toThrow(expect.objectContaining({ code: "SANDBOX_CLOSED" }));
  });

  it("twice is closing once", async () => {
    const sandbox = createSandbox();
    await Promise.all([sandbox.close(), sandbox.close()]);
    await expect(sandbox.close()).resolves.toBeUndefined();
  });

  it("leaves no handle behind", async () => {
    const before = countHandles();
    for (const runner of ["process", "worker"] as const) {
      const sandbox = createSandbox({ runner });
      await sandbox.run({ code: "return mcp.a.quick()", tools }).result;
      await sandbox.run({ code: "for (;;) {}", limits: { timeoutMs: 50 } }).result;
      await sandbox.close();
    }
    await expect.poll(countHandles).toBeLessThanOrEqual(before);
  });
});

function countHandles(): number {
  return process.getActiveResourcesInfo().filter((name) => /Process|Pipe|Worker|Timeout/.test(name)).length;
}
