import { createPml, type DryRunReport, type DryRunRequest, type Pml, type PmlOptions } from "@pml/core";
import { createEmbedder } from "@pml/embeddings";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { tools, toolsOf, touched, waysOf } from "./dry-run-world.js";

const embedder = createEmbedder();
let pml: Pml;

async function open(options: PmlOptions = {}): Promise<Pml> {
  const { id, dimensions, calibration } = embedder;
  return createPml({
    embedder: { id, dimensions, calibration, embed: embedder.embed.bind(embedder) },
    tools,
    ...options,
  });
}

beforeAll(async () => {
  pml = await open();
}, 60_000);
afterAll(() => pml?.close());
beforeEach(() => void touched.splice(0));

async function dryRun(request: string | DryRunRequest): Promise<DryRunReport> {
  const report = await pml.dryRun(typeof request === "string" ? { code: request } : request);
  expect(touched).toEqual([]);
  return report;
}

describe("a dry run goes every way", () => {
  it.each([
    [
      "of an if",
      `if (args.a) await mcp.fs.read({ path: "x" }); else await mcp.misc.any({});`,
      ["d1 true", "d1 false"],
      2,
    ],
    ["of a ternary", `return args.a ? mcp.fs.read({ path: "x" }) : mcp.misc.any({})`, ["d1 true", "d1 false"], 2],
    [
      "of an && and a ??",
      `(args.a && (await mcp.misc.any({}))) ?? (await mcp.misc.any({}))`,
      ["d1 true", "d1 false", "d2 true", "d2 false"],
      2,
    ],
    [
      "of a switch, with labels that are no text",
      `switch (args.kind) { case "a": await mcp.fs.read({ path: "x" }); break; case 2: await mcp.misc.any({}); break; default: await mcp.db.query({}); }`,
      ["d1 a", "d1 2", "d1 default"],
      3,
    ],
    [
      "of a try",
      `try { await mcp.fs.read({ path: "x" }); } catch { await mcp.misc.any({}); }`,
      ["d1 ok", "d1 error"],
      2,
    ],
    [
      "of decisions inside decisions",
      `if (args.a) { if (args.b) await mcp.fs.read({ path: "x" }); else await mcp.misc.any({}); } else if (args.c) await mcp.db.query({});`,
      ["d1 true", "d2 true", "d2 false", "d1 false", "d3 true", "d3 false"],
      4,
    ],
    [
      "of decisions in a loop over what a tool gave",
      `const { rows } = await mcp.db.query({}); for (const row of rows) { if (row.active) await mcp.mail.send({ to: row.email }); else await mcp.misc.any({}); }`,
      ["d1 true", "d1 false"],
      2,
    ],
    [
      "of decisions in callbacks that run at the same time",
      `const { rows } = await mcp.db.query({}); await Promise.all(rows.map(async (row) => (row.active ? mcp.mail.send({ to: row.email }) : mcp.misc.any({}))));`,
      ["d1 true", "d1 false"],
      2,
    ],
  ])("%s", async (_, code, ways, runs) => {
    const report = await dryRun(code);
    expect(waysOf(report).sort()).toEqual([...ways].sort());
    expect(report.runs).toHaveLength(runs);
    expect(report).toMatchObject({ ok: true, errors: [], unreached: [] });
    expect(report.coverage).toMatchObject({ outcomes: ways.length, covered: ways.length });
    expect(report.coverage.reached).toBe(report.coverage.calls);
  });

  it("and calls none of the tools it says would be called", async () => {
    const report = await dryRun(`
      const file = await mcp.fs.read({ path: args.path });
      if (file.content.length > 100) await mcp.fs.delete({ path: args.path });
      await mcp.mail.send({ to: "boss@example.com" });
      return file;`);
    expect(toolsOf(report)).toEqual(["fs:delete", "fs:read", "mail:send"]);
    expect(report.calls.find(({ tool }) => tool === "mail:send")).toMatchObject({
      args: { to: "boss@example.com" },
      place: "n3",
      times: 2,
    });
    expect(report.mockedInputs).toEqual(["path"]);
    expect(touched).toEqual([]);
  });

  it("and no further than maxBranches, saying what was left out", async () => {
    const code = [1, 2, 3, 4, 5].map((n) => `if (args.a${n}) await mcp.misc.any({ n: ${n} });`).join("\n");
    const report = await dryRun({ code, maxBranches: 3 });
    expect(report.runs).toHaveLength(3);
    expect(report.coverage).toMatchObject({ outcomes: 10, covered: 7 });
    const left = report.decisions.flatMap(({ outcomes }) => outcomes.filter(({ covered }) => !covered));
    expect(left.every(({ why }) => why === "Not tried: maxBranches is 3.")).toBe(true);
    expect((await dryRun({ code })).coverage).toMatchObject({ covered: 10, reached: 5 });
  });

  it("of the capabilities it calls, at each place on its own", async () => {
    const world = await open();
    const inner = `if (args.deep) return mcp.fs.read({ path: "deep" }); return mcp.misc.any({});`;
    const { capability } = await world.store.create({
      intent: "look into a file",
      source: { type: "code", code: inner },
    });
    await world.names.assign({ capabilityId: capability.id, name: "fs:look_file" });
    const code = `await capabilities.fs.look_file({}); if (args.twice) await capabilities.fs.look_file({ deep: true });`;
    const report = await world.dryRun({ code });
    await world.close();
    expect(touched).toEqual([]);
    expect(waysOf(report).sort()).toEqual(
      ["d1 false", "d1 true", "n1/d1 false", "n1/d1 true", "n2/d1 false", "n2/d1 true"].sort(),
    );
    expect(report.calls.map(({ place, tool }) => `${place} ${tool}`).sort()).toEqual([
      "n1/n1 fs:read",
      "n1/n2 misc:any",
      "n2/n1 fs:read",
      "n2/n2 misc:any",
    ]);
  });

  it("of a DAG, and gives it back as what all runs come to", async () => {
    const dag = {
      tasks: [
        {
          id: "t1",
          tool: "fs:read",
          type: "mcp_tool" as const,
          arguments: { path: "x" },
          dependsOn: [],
          sideEffects: false,
          metadata: {},
        },
      ],
      returns: [{ value: { $from: "t1", path: ["content"] } }],
    };
    const report = await dryRun({ dag });
    expect(report).toMatchObject({ ok: true, merged: { type: "dag", dag } });
  });
});

describe("what the runs of a dry run come to", () => {
  it("is a DAG where the code is one, with both branches", async () => {
    const { merged } = await dryRun(`if (args.a) await mcp.fs.read({ path: "x" }); else await mcp.misc.any({});`);
    expect(merged).toMatchObject({ type: "dag" });
    const tasks = merged.type === "dag" ? merged.dag.tasks : [];
    expect(tasks.map(({ tool }) => tool)).toEqual(expect.arrayContaining(["fs:read", "misc:any"]));
  });

  it("is the union of the paths where it is none", async () => {
    const { merged } = await dryRun(`try { await mcp.fs.read({ path: "x" }); } catch { await mcp.misc.any({}); }`);
    expect(merged).toEqual({
      type: "paths",
      nodes: ["n1", "d1", "n2"],
      edges: [
        { from: "n1", to: "d1", runs: 2 },
        { from: "d1", to: "n2", runs: 1 },
      ],
    });
  });
});

describe("the result of a mock is", () => {
  it.each([
    [
      "what was given",
      `return mcp.fs.read({ path: "x" })`,
      { "fs:read": { content: "mine" } },
      { content: "mine" },
      "given",
    ],
    [
      "what a given function says",
      `return mcp.fs.read({ path: "x" })`,
      { "fs:read": ({ path }: { path: string }) => path },
      "x",
      "given",
    ],
    ["that of the example with these arguments", `return mcp.web.search({ q: "b" })`, {}, ["second"], "example"],
    ["that of the first example", `return mcp.web.search({ q: "c" })`, {}, ["first"], "example"],
    ["of the output schema", `return mcp.fs.read({ path: "x" })`, {}, { content: "1" }, "output schema"],
    [
      "of what the code reads",
      `const a = await mcp.misc.any({}); return [a.b.c, a.list.map((x) => x)]`,
      {},
      ["1", ["1"]],
      "code",
    ],
    [
      "JSON where the code parses it",
      `const f = await mcp.fs.read({ path: "x" }); const d = JSON.parse(f.content); return d.items.map((x) => x)`,
      {},
      ["1"],
      "output schema",
    ],
  ])("%s", async (_, code, results, expected, source) => {
    const report = await dryRun({ code, results });
    expect(report.runs[0]).toMatchObject({ status: "success", result: expected });
    expect(report.calls[0]?.source).toBe(source);
  });

  it("of the type that earlier runs taught", async () => {
    const world = await open({
      tools: [{ id: "misc:any", description: "x", execute: () => ({ size: 12, tags: ["a"] }) }],
    });
    for (const intent of ["ask for anything", "ask again"])
      await world.execute({ intent, code: "return mcp.misc.any({})", cache: false });
    const report = await world.dryRun({ code: "return mcp.misc.any({})" });
    await world.close();
    expect(report.calls[0]).toMatchObject({ source: "learned type" });
    expect(report.runs[0]?.result).toEqual({ size: 1, tags: ["1"] });
  });

  it("sparse after a few turns, so that a loop over pages ends", async () => {
    const report = await dryRun(
      `let page, all = []; do { page = await mcp.web.page({ at: page?.next }); all.push(...page.items); } while (page.next); return all.length;`,
    );
    expect(report).toMatchObject({ ok: true });
    expect(report.runs[0]?.result).toBe(3);
  });

  it("a failure, if the given function throws", async () => {
    const results = {
      "fs:read": () => {
        throw new Error("no such file");
      },
    };
    const report = await dryRun({ code: `return mcp.fs.read({ path: "x" })`, results });
    expect(report).toMatchObject({ ok: false, errors: [{ code: "SANDBOX_TOOL_FAILED", runs: [0] }] });
  });
});

describe("a dry run reports", () => {
  it("arguments that a real run would refuse", async () => {
    const report = await dryRun(`await mcp.fs.read({ file: "x" })`);
    expect(report.calls[0]?.problem).toContain('"path" is missing');
  });

  it("the inputs it made up from the parameters' schema, and leaves given ones alone", async () => {
    const code = `await mcp.fs.read({ path: args.from }); await mcp.mail.send({ to: args.to }); return args.n`;
    const report = await dryRun({ code, context: { to: "me@example.com" } });
    expect(report.inputs).toMatchObject({ from: "1", to: "me@example.com" });
    expect(report.mockedInputs).not.toContain("to");
  });

  it("code that fails, and the ways it kept from being tried", async () => {
    const report = await dryRun(`const x = undefined; x.y; if (args.a) await mcp.misc.any({});`);
    expect(report).toMatchObject({ ok: false, errors: [{ code: "SANDBOX_CODE_THREW" }] });
    expect(report.decisions[0]?.outcomes[0]?.why).toMatch(/No run came to the decision\. One ended before/);
    expect(report.unreached).toEqual([{ place: "n1", tool: "misc:any", line: 1 }]);
  });

  it("an endless loop in a branch as a limit that was reached, and tries the other branch", async () => {
    const code = `if (args.forever) { await mcp.misc.any({}); for (;;) {} } return mcp.fs.read({ path: "x" });`;
    const report = await dryRun({ code, limits: { timeoutMs: 300 } });
    expect(waysOf(report)).toEqual(["d1 true", "d1 false"]);
    expect(report).toMatchObject({ ok: false, errors: [{ code: "SANDBOX_TIMEOUT" }] });
    expect(report.runs.map(({ status }) => status).sort()).toEqual(["error", "success"]);
  });

  it("a loop that never stops calling as a limit that was reached", async () => {
    const report = await dryRun(`for (;;) await mcp.misc.any({});`);
    expect(report).toMatchObject({ ok: false, errors: [{ code: "SANDBOX_TOOL_CALLS" }] });
    expect(report.calls).toMatchObject([{ tool: "misc:any", times: 200 }]);
  });

  it("what cannot be chosen", async () => {
    const code = `let a = args.a; a ||= await mcp.misc.any({}); return a`;
    const report = await dryRun({ code, context: { a: 0 } });
    expect(report.decisions[0]?.outcomes).toEqual([
      { outcome: "true", covered: false, why: "It was chosen, and the code went another way all the same." },
      { outcome: "false", covered: true },
    ]);
  });

  it("nothing to the memory: no trace, no capability, no lesson", async () => {
    const before = [(await pml.store.listTraces()).length, (await pml.store.list()).length];
    await dryRun(`return mcp.fs.read({ path: "nothing is kept" })`);
    expect([(await pml.store.listTraces()).length, (await pml.store.list()).length]).toEqual(before);
    expect(pml.metrics().executions).toBe(0);
  });
});

describe("a dry run refuses", () => {
  it.each([
    ["code that does not parse", { code: "return (" }, "ANALYZER_SYNTAX"],
    ["a tool that is not there", { code: "return mcp.no.tool({})" }, "PML_TOOL_NOT_FOUND"],
    ["nothing at all", {}, "PML_INVALID_INPUT"],
    ["two things at once", { code: "1", capability: "a:b" }, "PML_INVALID_INPUT"],
    ["no runs", { code: "1", maxBranches: 0 }, "PML_INVALID_INPUT"],
  ])("%s", async (_, request, code) => {
    await expect(pml.dryRun(request as DryRunRequest)).rejects.toMatchObject({ code });
  });
});
