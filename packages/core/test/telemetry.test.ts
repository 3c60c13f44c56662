import { execFileSync } from "node:child_process";

import { context, trace } from "@opentelemetry/api";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import type { PmlOptions } from "@pml/core";
import { describe, expect, it } from "vitest";

import { createFileTools, usePml } from "./pml-world.js";

const { open } = usePml();
const READ = `const file = await mcp.fs.read({ path: args.path }); return file.content;`;
const INTENT = "read the very private diary";

function createTracing(): { tracer: ReturnType<BasicTracerProvider["getTracer"]>; read(): ReadableSpan[] } {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  return { tracer: provider.getTracer("test"), read: () => exporter.getFinishedSpans() };
}

async function runOnce(
  options: PmlOptions & { path?: string } = {},
): Promise<{ spans: ReadableSpan[]; traceId: string }> {
  const { tracer, read } = createTracing();
  const { path = "a.json", telemetry, ...rest } = options;
  const pml = await open({ tools: createFileTools().tools, telemetry: { tracer, ...telemetry }, ...rest });
  const answer = await pml.execute({ intent: INTENT, code: READ, context: { path } });
  await pml.discover({ intent: INTENT });
  return { spans: read(), traceId: (answer as { traceId: string }).traceId };
}

describe("spans", () => {
  it("stand for the run, its tools, what was learned and searches, each below what it belongs to", async () => {
    const { spans, traceId } = await runOnce();
    expect(spans.map(({ name }) => name).sort()).toEqual(["pml.learn", "pml.run", "pml.search", "pml.tool"]);
    const [run, tool, learn] = ["pml.run", "pml.tool", "pml.learn"].map((name) =>
      spans.find((span) => span.name === name),
    );
    expect(tool?.parentSpanContext?.spanId).toBe(run?.spanContext().spanId);
    expect(learn?.parentSpanContext?.spanId).toBe(run?.spanContext().spanId);
    expect(run?.attributes).toMatchObject({ "pml.mode": "direct", "pml.status": "success", "pml.trace_id": traceId });
    expect(tool?.attributes).toEqual({ "pml.tool": "fs:read" });
  });

  it("hold no content unless it is asked for", async () => {
    const texts = ["diary", "a.json", '\\"name\\"'];
    const quiet = JSON.stringify(
      (await runOnce()).spans.map(({ attributes, status, events }) => [attributes, status, events]),
    );
    expect(texts.filter((text) => quiet.includes(text))).toEqual([]);
    const { spans } = await runOnce({ telemetry: { content: true } });
    const find = (name: string) => spans.find((span) => span.name === name)?.attributes;
    expect(find("pml.run")).toMatchObject({ "pml.intent": INTENT, "pml.result": '{"name":"a"}' });
    expect(find("pml.tool")).toMatchObject({ "pml.arguments": '{"path":"a.json"}' });
    expect(find("pml.search")).toMatchObject({ "pml.intent": INTENT });
  });

  it("hold no secrets, even with content", async () => {
    const { tracer, read } = createTracing();
    const tools = [{ id: "x:login", description: "Log in", execute: () => ({ session: "ok", token: "tok-123456" }) }];
    const pml = await open({ tools, telemetry: { tracer, content: true } });
    await pml.execute({
      intent: "log in",
      code: `return mcp.x.login({ password: args.word })`,
      context: { word: "hunter2-x" },
    });
    const all = JSON.stringify(read().map(({ attributes }) => attributes));
    expect(all).toContain("[redacted]");
    expect(["hunter2-x", "tok-123456"].filter((secret) => all.includes(secret))).toEqual([]);
  });

  it("say by code that something failed", async () => {
    const { spans } = await runOnce({ path: "none.json" });
    const run = spans.find(({ name }) => name === "pml.run");
    expect(run?.status).toEqual({ code: 2, message: "SANDBOX_TOOL_FAILED" });
    expect(run?.attributes).toMatchObject({ "pml.status": "error", "error.type": "SANDBOX_TOOL_FAILED" });
    expect(spans.find(({ name }) => name === "pml.tool")?.status).toEqual({ code: 2, message: "Error" });
    expect(JSON.stringify(spans.map(({ status, events }) => [status, events]))).not.toContain("none.json");
  });

  it("go below the span that is active when a run begins", async () => {
    const { tracer, read } = createTracing();
    const pml = await open({ tools: createFileTools().tools, telemetry: { tracer } });
    const above = tracer.startSpan("above");
    // Without a context manager nothing is active; this is what one does.
    const active = context.active;
    context.active = () => trace.setSpan(active.call(context), above);
    try {
      await pml.execute({ intent: INTENT, code: READ, context: { path: "a.json" } });
    } finally {
      context.active = active;
    }
    const run = read().find(({ name }) => name === "pml.run");
    expect(run?.parentSpanContext?.spanId).toBe(above.spanContext().spanId);
  });

  it.each([
    [
      "the API is not installed",
      `await import("node:module").then((m) => m.register("data:text/javascript," + encodeURIComponent('export async function resolve(s, c, n) { if (s === "@opentelemetry/api") throw new Error("not installed"); return n(s, c); }')));`,
    ],
    ["nobody listens", ""],
  ])("cost nothing where %s", (_, before) => {
    const script = `${before}
      const { createPml } = await import("@pml/core");
      const { createHashEmbedder } = await import("@pml/embeddings");
      const pml = await createPml({ embedder: createHashEmbedder(), tools: [{ id: "a:b", description: "x", execute: () => 7 }] });
      const answer = await pml.execute({ intent: "x", code: "return mcp.a.b({})" });
      await pml.close();
      console.log(answer.result);`;
    const output = execFileSync(process.execPath, ["--input-type=module", "-e", script], {
      cwd: import.meta.dirname,
      encoding: "utf8",
    });
    expect(output.trim()).toBe("7");
  });
});

describe("the log", () => {
  it("says what happened, and never on what", async () => {
    const lines: [level: string, ...unknown[]][] = [];
    const note = (level: string) => (message: string, details: object) => void lines.push([level, message, details]);
    const pml = await open({ tools: createFileTools().tools, logger: { info: note("info"), warn: note("warn") } });
    pml.events(() => {
      throw new Error(`cannot take ${INTENT}`);
    });
    const answer = await pml.execute({ intent: INTENT, code: READ, context: { path: "a.json" } });
    await pml.feedback({ traceId: (answer as { traceId: string }).traceId, ok: false });
    await pml.execute({ intent: INTENT, code: `return mcp.mail.send({ to: "diary" })` });
    const said = lines.map(([level, message]) => `${level}: ${String(message)}`);
    expect(new Set(said)).toEqual(
      new Set([
        "info: A capability was learned.",
        "info: A run was judged.",
        "info: A run waits for a person.",
        "warn: A listener of events threw.",
      ]),
    );
    expect(JSON.stringify(lines)).not.toMatch(/diary|a\.json|name/);
  });
});
