import { createPml, type Pml, type PmlOptions, type ReplayReport, type Tool } from "@pml/core";
import { createEmbedder } from "@pml/embeddings";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

/** Tools that work until the switch is thrown; from then on, whoever calls one is wrong. */
let isLive = true;
const touched: string[] = [];
const tool = (id: string, answer: (args: Record<string, unknown>) => unknown): Tool => ({
  id,
  description: `Does ${id}`,
  execute(args) {
    if (!isLive) touched.push(id);
    return answer(args);
  },
});
let counter = 0;
const tools: Tool[] = [
  tool("fs:read", ({ path }) => ({ content: `text of ${String(path)}` })),
  { ...tool("fs:look", ({ path }) => ({ content: `look of ${String(path)}` })), annotations: { readOnlyHint: true } },
  tool("misc:count", () => ++counter),
  tool("misc:flag", () => ({ on: counter % 2 === 0 })),
  tool("misc:fail", () => {
    throw new Error("it broke");
  }),
  tool("misc:map", () => new Map([["a", 1]])),
  tool("misc:large", () => "x".repeat(100_000)),
  tool("auth:login", () => ({ token: "secret-token-of-somebody", user: "me" })),
];

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

let intents = 0;
async function execute(code: string, context: Record<string, unknown> = {}): Promise<string> {
  const answer = await pml.execute({
    intent: `task number ${++intents} of the replay test`,
    code,
    context,
    cache: false,
  });
  return (answer as { traceId: string }).traceId;
}

async function replay(traceId: string, code?: string): Promise<ReplayReport> {
  isLive = false;
  touched.splice(0);
  try {
    return await pml.replay({ traceId, ...(code !== undefined && { code }) });
  } finally {
    isLive = true;
    expect(touched).toEqual([]);
  }
}

const task = (id: string, path: unknown, dependsOn: string[]): object => ({
  id,
  tool: "fs:read",
  type: "mcp_tool",
  arguments: { path },
  dependsOn,
  sideEffects: false,
  metadata: {},
});

const kinds = ({ differences }: ReplayReport): string[] => differences.map(({ kind }) => kind);

describe("a replay of the same code is the same", () => {
  it.each([
    ["with one call", `return mcp.fs.read({ path: "a" })`],
    ["with tools that would answer otherwise now", `return [await mcp.misc.count({}), await mcp.misc.count({})]`],
    [
      "with a branch that hangs on an answer",
      `const f = await mcp.misc.flag({}); if (f.on) return mcp.fs.read({ path: "on" }); return mcp.misc.count({});`,
    ],
    [
      "with a loop",
      `const all = []; for (const p of ["a", "b", "c"]) all.push(await mcp.misc.count({ p })); return all;`,
    ],
    ["with calls at the same time", `return Promise.all(["a", "b", "c"].map(async (p) => mcp.misc.count({ p })));`],
    [
      "with a call that failed and was caught",
      `try { await mcp.misc.fail({}) } catch (error) { return error.message }`,
    ],
    ["with a run that failed", `await mcp.fs.read({ path: "a" }); await mcp.misc.fail({});`],
    [
      "with clock and random numbers",
      `const t = [Date.now(), Math.random()]; await mcp.fs.read({ path: "t" + t[1] }); return [t, new Date(), Math.random()];`,
    ],
    ["with what is more than JSON", `const m = await mcp.misc.map({}); return [m, new Date(5), NaN, undefined];`],
    ["with null, and with nothing", `await mcp.fs.read({ path: "x" }); return null;`],
  ])("%s", async (_, code) => {
    const report = await replay(await execute(code));
    expect(report).toMatchObject({ same: true, differences: [] });
  });

  it("with the inputs that it had", async () => {
    const traceId = await execute(`return mcp.fs.read({ path: args.where })`, { where: "here" });
    expect(await replay(traceId)).toMatchObject({ same: true, result: { content: "text of here" } });
  });

  it("through the capabilities it called, as they were then", async () => {
    const { capability } = await pml.store.create({
      intent: "count something up",
      source: {
        type: "code",
        code: `const a = await mcp.misc.count({}); if (a > 0) return [a, await mcp.misc.count({})]; return a;`,
      },
    });
    await pml.names.assign({ capabilityId: capability.id, name: "util:count_things" });
    const traceId = await execute(
      `return [await capabilities.util.count_things({}), await capabilities.util.count_things({})]`,
    );
    await pml.names.update("util:count_things", { code: `return "other" + (await mcp.misc.count({}))` });
    expect(await replay(traceId)).toMatchObject({ same: true, differences: [] });
  });

  it("where it ran as a DAG, given as one", async () => {
    const dag = {
      tasks: [task("t1", "a", []), task("t2", { $from: "t1", path: ["content"] }, ["t1"])],
      returns: [{ value: { $from: "t2" } }],
    } as never;
    const answer = await pml.execute({ intent: "read what a file names", dag, cache: false });
    expect(answer.status).toBe("success");
    expect(await replay((answer as { traceId: string }).traceId)).toMatchObject({ same: true, differences: [] });
  });

  it("where its reads ran at the same time, though they are written one after the other", async () => {
    const code = `const a = await mcp.fs.look({ path: "a" }); const b = await mcp.fs.look({ path: "b" }); if (a.content === b.content) return mcp.misc.count({}); return [a, b];`;
    await execute(code);
    const { capabilityId } = await pml.store.getTrace(await execute(code));
    const answer = await pml.execute({ capability: capabilityId ?? "", cache: false });
    expect(answer).toMatchObject({ status: "success", layerResults: expect.any(Array) });
    expect(await replay((answer as { traceId: string }).traceId)).toMatchObject({ same: true, differences: [] });
  });

  it("though code of its shape was learned before with other literals", async () => {
    const intent = "read the words of the poem in a file";
    const run = async (path: string): Promise<string> => {
      const answer = await pml.execute({
        intent,
        code: `return (await mcp.fs.read({ path: "${path}" })).content`,
        cache: false,
      });
      return (answer as { traceId: string }).traceId;
    };
    const [first, second] = [await run("one"), await run("two")];
    expect(await replay(second)).toMatchObject({ same: true, result: "text of two" });
    expect(await replay(first)).toMatchObject({ same: true, result: "text of one" });
  });
});

describe("a replay of other code says", () => {
  const CODE = `const f = await mcp.fs.read({ path: "a" }); if (f.content.length > 3) await mcp.misc.count({ n: 1 }); return f.content;`;

  it("that it is the same, where it does the same", async () => {
    const traceId = await execute(CODE);
    const other = `const { content } = await mcp.fs.read({ path: ["a"].join("") }); await mcp.misc.count({ n: 1 }); return content;`;
    expect(await replay(traceId, other)).toMatchObject({ same: true });
  });

  it.each([
    ["which arguments differ", CODE.replace("n: 1", "n: 2"), ["arguments"]],
    ["which result differs", CODE.replace("return f.content", "return f.content + '!'"), ["result"]],
    ["which call is missing", CODE.replace("await mcp.misc.count({ n: 1 });", ";"), ["missing_call"]],
    [
      "which call is new",
      `${CODE.replace("return f", "await mcp.misc.flag({}); return f")}`,
      ["unknown_call", "error"],
    ],
    ["that it failed", CODE.replace("return", "throw new Error('no');"), ["error"]],
    ["that it reads the clock", CODE.replace("return", "Date.now(); return"), ["clock"]],
  ])("%s", async (_, other, expected) => {
    const report = await replay(await execute(CODE), other);
    expect(report.same).toBe(false);
    expect(kinds(report).sort()).toEqual([...expected].sort());
  });

  it("which way a decision went that went another way", async () => {
    const code = `const f = await mcp.fs.read({ path: args.p }); const n = f.content.length; if (n > 3) await mcp.fs.read({ path: "b" }); return 1;`;
    const report = await replay(await execute(code, { p: "a" }), code.replace("f.content.length", "0"));
    expect(kinds(report).sort()).toEqual(["decision", "decision", "missing_call"]);
  });

  it("that a call is unknown even if the code hides it", async () => {
    const report = await replay(await execute(`return 1`), `try { await mcp.misc.count({}) } catch {} return 1`);
    expect(kinds(report)).toEqual(["unknown_call"]);
    expect(report.result).toBe(1);
  });

  it("that it never ends", async () => {
    isLive = false;
    const traceId = await execute(`return 1`);
    const report = await pml.replay({ traceId, code: "for (;;) {}", limits: { timeoutMs: 200 } });
    isLive = true;
    expect(report).toMatchObject({ same: false, error: { code: "SANDBOX_TIMEOUT" } });
  });
});

describe("what was not kept whole cannot be compared, and so", () => {
  it("a result with a secret in it is not the same", async () => {
    const report = await replay(await execute(`return mcp.auth.login({})`));
    expect(report.same).toBe(false);
    expect(new Set(kinds(report))).toEqual(new Set(["withheld"]));
    expect(JSON.stringify(report)).not.toContain("secret-token");
  });

  it("an input with a secret in it is not the same", async () => {
    const traceId = await execute(`return (await mcp.misc.count({ password: args.password })) > 0`, {
      password: "hunter2",
    });
    const report = await replay(traceId);
    expect(report.same).toBe(false);
    expect(kinds(report)).toContain("withheld");
    expect(JSON.stringify(report)).not.toContain("hunter2");
  });

  it("a result too large to keep is not the same", async () => {
    const report = await replay(await execute(`return (await mcp.misc.large({})).slice(0, 3)`));
    expect(report.same).toBe(false);
    expect(kinds(report)).toContain("withheld");
  });
});

describe("names, on top of replays and dry runs,", () => {
  it("verify what gives the same again, and only that", async () => {
    const answer = await pml.execute({
      intent: "count the sheep",
      code: `return mcp.misc.count({ sheep: true })`,
      name: "util:count_sheep",
      cache: false,
    });
    expect(answer.status).toBe("success");
    isLive = false;
    touched.splice(0);
    expect(await pml.names.verify("util:count_sheep")).toEqual({ ok: true });
    expect(touched).toEqual([]);
    isLive = true;
    await pml.execute({ intent: "log in", code: `return mcp.auth.login({})`, name: "auth:login_user", cache: false });
    expect(await pml.names.verify("auth:login_user")).toMatchObject({
      ok: false,
      reason: expect.stringContaining("cannot be compared"),
    });
  });

  it("join capabilities only if that runs, and call no tool to find out", async () => {
    const learn = async (intent: string, code: string, name: string): Promise<unknown> =>
      pml.execute({ intent, code, name, cache: false });
    await learn("read the first part", `return mcp.fs.read({ path: "part one" })`, "fs:read_one");
    await learn("measure the letter", `return (await mcp.fs.read({ path: "two" })).content.length`, "fs:read_two");
    isLive = false;
    touched.splice(0);
    const sources = ["fs:read_one", "fs:read_two"];
    const broken = pml.names.merge({
      sources,
      name: "fs:read_broken",
      code: "const a = await capabilities.fs.read_one({}); return a.no.such;",
    });
    await expect(broken).rejects.toMatchObject({ code: "PML_DRY_RUN_FAILED" });
    await pml.names.merge({ sources, name: "fs:read_both" });
    expect(touched).toEqual([]);
    isLive = true;
  });
});

describe("a replay refuses", () => {
  it("a trace that is not there, or not of this project", async () => {
    const traceId = await execute(`return 1`);
    await expect(pml.replay({ traceId: crypto.randomUUID() })).rejects.toMatchObject({ code: "PML_NOT_FOUND" });
    await expect(pml.replay({ traceId, scope: { project: "other" } })).rejects.toMatchObject({ code: "PML_NOT_FOUND" });
  });

  it("a trace of code that was not remembered, unless code is given", async () => {
    const answer = await pml.execute({ intent: "forget this", code: "return 7", learn: false, cache: false });
    const { traceId } = answer as { traceId: string };
    await expect(pml.replay({ traceId })).rejects.toMatchObject({ code: "PML_INVALID_INPUT" });
    expect(await replay(traceId, "return 7")).toMatchObject({ same: true });
  });
});
