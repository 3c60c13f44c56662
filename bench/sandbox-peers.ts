import vm from "node:vm";

import { createSandbox, type Sandbox } from "@pml/sandbox";
import {
  newQuickJSWASMModule,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSWASMModule,
  shouldInterruptAfterDeadline,
} from "quickjs-emscripten";

import { loadIsolatedVm } from "./sandbox-isolated-vm.js";

/** The tool that all of them call. */
type Tool = (args: unknown) => Promise<unknown>;

/** One way to run code. Each gives it `await mcp.bench.tool(args)`, values crossing as data. */
export interface Peer {
  name: string;
  run(code: string, tool: Tool): Promise<unknown>;
  close(): Promise<void>;
}

const MEMORY_MB = 128;
/** What gives code its `mcp` where only text can be passed. */
const PRELUDE =
  "const mcp = { bench: { tool: async (args) => JSON.parse(await callTool(JSON.stringify(args ?? {}))) } };";
const UNLIMITED = { maxToolCalls: 1e9, maxConcurrentToolCalls: 1e9, timeoutMs: 600_000, maxOutputBytes: 1e12 };

export function createPmlPeer(runner: "process" | "worker", size = 1): Peer {
  const sandbox: Sandbox = createSandbox({ runner, limits: UNLIMITED, pool: { size, maxRuns: 1e9 } });
  return {
    name: `@pml/sandbox, ${runner}`,
    async run(code, call) {
      const result = await sandbox.run({ code, tools: [{ id: "bench:tool", call }] }).result;
      if (result.status === "error") throw result.error;
      return result.value;
    },
    close: () => sandbox.close(),
  };
}

/** A fresh context in a warm isolate: what a host would do for runs that must not see each other. */
export function createIsolatedVmPeer(): Peer | undefined {
  const ivm = loadIsolatedVm();
  if (ivm === undefined) return undefined;
  const isolate = new ivm.Isolate({ memoryLimit: MEMORY_MB });
  const call = "callTool.apply(undefined, [text], { result: { promise: true, copy: true } })";
  return {
    name: "isolated-vm, fresh context",
    async run(code, tool) {
      const context = await isolate.createContext();
      const answer = async (text: string): Promise<string> => JSON.stringify(await tool(JSON.parse(text)));
      await context.global.set("host", new ivm.Reference(answer));
      const source = `(async () => { const callTool = (text) => ${call.replace("callTool", "host")}; ${PRELUDE} ${code} })()`;
      const script = await isolate.compileScript(source);
      const value: unknown = await script.run(context, { promise: true, copy: true });
      script.release();
      context.release();
      return value;
    },
    close: async () => isolate.dispose(),
  };
}

/** A fresh runtime: limits of memory and time belong to it. */
export async function createQuickJsPeer(): Promise<Peer> {
  const quickjs = await newQuickJSWASMModule();
  return { name: "quickjs-emscripten", run: (code, tool) => runInQuickJs(quickjs, code, tool), close: async () => {} };
}

/** No isolation to speak of: any code in it can reach its host. */
export function createVmPeer(): Peer {
  return {
    name: "node:vm (no isolation)",
    async run(code, tool) {
      const callTool = async (text: string): Promise<string> => JSON.stringify(await tool(JSON.parse(text)));
      return vm.runInNewContext(`(async () => { ${PRELUDE} ${code} })()`, { callTool }) as Promise<unknown>;
    },
    close: async () => {},
  };
}

/** What the work costs by itself. */
export function createFunctionPeer(): Peer {
  const AsyncFunction = (async () => {}).constructor as new (...parts: string[]) => (mcp: unknown) => Promise<unknown>;
  return {
    name: "in-process function (no isolation)",
    run: (code, tool) => new AsyncFunction("mcp", code)({ bench: { tool } }),
    close: async () => {},
  };
}

async function runInQuickJs(quickjs: QuickJSWASMModule, code: string, tool: Tool): Promise<unknown> {
  const runtime = quickjs.newRuntime();
  runtime.setMemoryLimit(MEMORY_MB * 1024 * 1024);
  runtime.setInterruptHandler(shouldInterruptAfterDeadline(Date.now() + UNLIMITED.timeoutMs));
  const context = runtime.newContext();
  const callTool = context.newFunction("callTool", (text) => answerInQuickJs(context, text, tool));
  context.setProp(context.global, "callTool", callTool);
  callTool.dispose();
  const promise = context.unwrapResult(context.evalCode(`(async () => { ${PRELUDE} ${code} })()`));
  const settled = context.resolvePromise(promise);
  promise.dispose();
  runtime.executePendingJobs();
  const value = context.unwrapResult(await settled);
  const result: unknown = context.dump(value);
  value.dispose();
  context.dispose();
  runtime.dispose();
  return result;
}

function answerInQuickJs(context: QuickJSContext, text: QuickJSHandle, tool: Tool): QuickJSHandle {
  const deferred = context.newPromise();
  void tool(JSON.parse(context.getString(text))).then((result) => {
    context.newString(JSON.stringify(result)).consume((handle) => deferred.resolve(handle));
    return context.runtime.executePendingJobs();
  });
  return deferred.handle;
}
