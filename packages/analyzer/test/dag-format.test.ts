import { describe, expect, it } from "vitest";

import { type DAGStructure, type DagTask, dagToCode, StaticStructureBuilder, structureToDag } from "../src/index.js";
import { TOOLS } from "./tools.js";

const builder = new StaticStructureBuilder({ tools: TOOLS });

const DECISION: DagTask = {
  ...task({ id: "d", tool: "code:decision", type: "code_execution", code: "true" }),
  metadata: { decision: { kind: "truthy", outcomes: ["true", "false"] } },
};

describe("a DAG", () => {
  it("has a task for each call, each pure operation, each expression and each decision that something depends on", () => {
    const dag = convert(`const user = await mcp.api.fetch({ url: \`https://host/\${args.id}\` });
      if (user.active) await mcp.fs.write({ path: "a", content: user.tags.join(",") });
      return user.name;`);
    expect(dag.tasks.map(({ id, tool, type, dependsOn }) => `${id} ${tool} ${type} ${dependsOn.join()}`)).toEqual([
      "t1 code:expression code_execution ",
      "t2 api:fetch mcp_tool t1",
      "t3 code:decision code_execution t2",
      "t4 code:join code_execution t2,t3",
      "t5 fs:write mcp_tool t3,t4",
    ]);
    expect(dag.tasks[3]).toMatchObject({ when: { decision: "t3", outcome: "true" }, metadata: { pure: true } });
    expect(dag.returns).toEqual([{ value: { $from: "t2", path: ["name"] } }]);
  });

  it.each([
    ["waits for writes that came before", "await mcp.fs.create({}); await mcp.fs.write({});", ["", "t1"]],
    ["lets reads overlap", "await mcp.fs.read({}); await mcp.fs.stat({});", ["", ""]],
    [
      "keeps a write after the reads before it",
      "await mcp.fs.read({}); await mcp.fs.stat({}); await mcp.fs.write({});",
      ["", "", "t1,t2"],
    ],
    [
      "keeps a read after the write before it",
      "await mcp.fs.write({}); await mcp.fs.read({}); await mcp.fs.stat({});",
      ["", "t1", "t1"],
    ],
    ["treats what nothing is known of as a write", "await mcp.api.fetch({}); await mcp.db.write({});", ["", "t1"]],
    [
      "keeps what was written side by side apart",
      "await Promise.all([mcp.fs.create({}), mcp.fs.write({})]); await mcp.db.write({});",
      ["", "", "t1,t2"],
    ],
    [
      "waits once where waiting is passed on",
      "await mcp.fs.create({}); await mcp.fs.write({}); await mcp.db.write({});",
      ["", "t1", "t2"],
    ],
    [
      "waits for started work only where it is awaited",
      "const p = mcp.fs.create({}); await mcp.fs.write({}); await p; await mcp.db.write({});",
      ["", "", "t1,t2"],
    ],
  ])("%s", (_, code, expected) => {
    expect(convert(code).tasks.map(({ dependsOn }) => dependsOn.join())).toEqual(expected);
  });

  it.each([
    ["a literal that looks like a reference", `mcp.x.y({ a: { $from: "t1" } })`, { a: { $literal: { $from: "t1" } } }],
    [
      "an input and a part of it",
      "mcp.x.y({ a: args.b, c: d.e[0] })",
      { a: { $param: "b" }, c: { $param: "d", path: ["e", 0] } },
    ],
    ["an optional part", "mcp.x.y({ a: args.b?.c })", { a: { $param: "b", path: ["c"], optional: true } }],
    ["a list of both", "mcp.x.y({ a: [1, args.b] })", { a: [1, { $param: "b" }] }],
  ])("gives as arguments %s", (_, code, expected) => {
    expect(convert(`await ${code}`).tasks[0]?.arguments).toEqual(expected);
  });

  it("walks over lists one by one or together", () => {
    expect(convert("for (const path of args.paths) await mcp.fs.read({ path });").tasks[0]).toMatchObject({
      forEach: { items: { $param: "paths" }, sequential: true },
      arguments: { path: { $from: "t1" } },
    });
    expect(convert("await Promise.all(args.paths.map((path) => mcp.fs.read({ path })));").tasks[0]?.forEach).toEqual({
      items: { $param: "paths" },
    });
  });
});

describe("code that is not a DAG", () => {
  it.each([
    ["throws", "if (!args.a) throw new Error(); await mcp.fs.read({})"],
    ["catches", "try { await mcp.fs.read({}) } catch { await mcp.log.write({}) }"],
    ["handles a rejection", "await mcp.fs.read({}).catch(() => null)"],
    ["loops until something", "while (args.a) await mcp.fs.read({})"],
    [
      "carries something from turn to turn",
      "let c; do { const p = await mcp.api.list({ cursor: c }); c = p.next } while (c)",
    ],
    [
      "does two things in a loop",
      "for (const x of args.list) { await mcp.fs.read({ path: x }); await mcp.log.write({}) }",
    ],
    ["computes with the element", "for (const x of args.list) await mcp.fs.read({ path: x + 1 })"],
    ["decides in a loop", "for (const x of args.list) if (x.ok) await mcp.fs.read({ path: x })"],
    ["loops in a loop", "for (const x of args.list) for (const y of x) await mcp.fs.read({ path: y })"],
    ["returns from a loop", "for (const x of args.list) return await mcp.fs.read({ path: x })"],
    [
      "changes what a map gives",
      "await Promise.all(args.list.map(async (x) => (await mcp.fs.read({ path: x })).text)).then((t) => mcp.x.y({ t }))",
    ],
    ["calls itself", "async function f(n) { await mcp.fs.read({}); if (n) await f(n - 1) } await f(args.n)"],
    ["computes the name of a tool", "await mcp.fs[args.name]({})"],
    ["hands on its whole input", "await mcp.fs.read(args)"],
    ["uses a local function in an argument", "const f = (x) => x + 1; await mcp.x.y({ a: f(args.b) })"],
    ["uses what is assigned twice", "let a = args.b; if (args.c) a = args.d + 1; await mcp.x.y({ a })"],
    ["changes a result in place", "const r = await mcp.fs.read({}); r.items.push(1); await mcp.x.y({ r })"],
    ["changes an input in place", "args.items.push(1); await mcp.x.y({ items: args.items })"],
    ["falls through in a switch", `switch (args.a) { case 1: await mcp.fs.read({}); case 2: await mcp.fs.write({}) }`],
    ["asks for the time", "await mcp.x.y({ at: Date.now() })"],
    ["asks for the time with a date", "await mcp.x.y({ at: new Date() })"],
    ["rolls dice", "await mcp.x.y({ n: Math.random() })"],
    ["leaves a loop early", "for (const i of args.items) { await mcp.x.y({ i }); break; }"],
    ["gives two inputs", "await mcp.x.y({ a: 1 }, { b: 2 })"],
    ["names a field as a DAG would", `await mcp.x.y({ $from: "t1", path: ["x"] })`],
    ["waits with a timer", "await new Promise((done) => setTimeout(done, 10)); await mcp.fs.read({})"],
    ["hands a tool to somebody", "args.run(mcp.fs.read)"],
    [
      "maps with an async callback that calls nothing",
      "const t = await Promise.all(args.list.map(async (x) => x.id)); await mcp.x.y({ t })",
    ],
  ])("%s", (_, code) => {
    const conversion = structureToDag(builder.build(code));
    expect(conversion).toMatchObject({ ok: false, code: "NOT_A_DAG" });
    expect(conversion.ok || conversion.reasons.every(({ reason, line }) => reason.length > 0 && line > 0)).toBe(true);
  });
});

describe("dagToCode", () => {
  it.each([
    ["no tasks", {}],
    ["null", null],
    ["an id that is no name", { tasks: [task({ id: "a b" })] }],
    ["an id that would be code", { tasks: [task({ id: "x=process.exit()" })] }],
    ["an id that is taken", { tasks: [task({ id: "args" })] }],
    ["a task twice", { tasks: [task({}), task({})] }],
    ["an unknown type", { tasks: [task({ type: "shell" as DagTask["type"] })] }],
    ["a tool without a server", { tasks: [task({ tool: "read" })] }],
    ["a dependency that is not there", { tasks: [task({ dependsOn: ["t9"] })] }],
    ["a circle", { tasks: [task({ dependsOn: ["t2"] }), task({ id: "t2", dependsOn: ["t1"] })] }],
    ["a reference to what comes later", { tasks: [task({ arguments: { a: { $from: "t2" } } }), task({ id: "t2" })] }],
    ["a reference to itself without forEach", { tasks: [task({ arguments: { a: { $from: "t1" } } })] }],
    ["a guard that is not there", { tasks: [task({ when: { decision: "t9", outcome: "true" } })] }],
    ["code that is not an expression", { tasks: [task({ tool: "code:x", type: "code_execution", code: "a; b" })] }],
    [
      "code that closes what is around it",
      { tasks: [task({ tool: "code:x", type: "code_execution", code: "1); process.exit(" })] },
    ],
    ["no code where there should be some", { tasks: [task({ tool: "code:x", type: "code_execution" })] }],
    [
      "a name in code that is none",
      { tasks: [task({ tool: "code:x", type: "code_execution", code: "1", arguments: { "a b": 1 } })] },
    ],
    ["a function as an argument", { tasks: [task({ arguments: { a: (() => 1) as never } })] }],
    ["an id that is a word of the language", { tasks: [task({ id: "class" })] }],
    ["an id that hides a global", { tasks: [task({ id: "JSON" })] }],
    ["no metadata", { tasks: [{ ...task({}), metadata: undefined }] }],
    [
      "a path that is no list",
      { tasks: [task({}), task({ id: "t2", arguments: { a: { $from: "t1", path: "abc" as never } } })] },
    ],
    ["a number that is not JSON", { tasks: [task({ arguments: { a: 1n as never } })] }],
    ["a value that holds itself", { tasks: [task({ arguments: { a: circle() } })] }],
    ["a list that is none", { tasks: [task({ forEach: { items: 5 } })] }],
    [
      "an outcome that its decision does not have",
      { tasks: [DECISION, task({ when: { decision: "d", outcome: "maybe" } })] },
    ],
    [
      "a guard that decides nothing",
      { tasks: [task({}), task({ id: "t2", when: { decision: "t1", outcome: "true" } })] },
    ],
    [
      "code that calls a tool",
      { tasks: [task({ tool: "code:x", type: "code_execution", code: "mcp.fs.delete({})" })] },
    ],
    [
      "code that uses what it is not given",
      { tasks: [task({ tool: "code:x", type: "code_execution", code: "secret" })] },
    ],
    ["returns that are no list", { tasks: [], returns: 5 as never }],
    ["a return that is none", { tasks: [], returns: [null as never] }],
    ["a return of what is not there", { tasks: [], returns: [{ value: { $from: "t1" } }] }],
  ])("refuses %s", (_, dag) => {
    expect(() => dagToCode(dag as DAGStructure)).toThrow(expect.objectContaining({ code: "ANALYZER_INVALID_DAG" }));
  });

  it.each([
    [`"]; process.exit(); ["`, `fs:"]; process.exit(); ["`],
    ["a name with a quote", "fs:it's"],
    ["a name with a line break", "fs:a\nb"],
  ])("writes the tool %s as a name and nothing else", (_, tool) => {
    const code = dagToCode({ tasks: [task({ tool })] });
    expect(new StaticStructureBuilder().build(code).permissions.tools).toEqual([tool]);
  });

  it("writes values as values, whatever they hold", () => {
    const values = {
      a: "`${process.exit()}`",
      "b-c": ["\u2028", null, -1.5e300],
      __proto__x: { ["__proto__"]: { polluted: true } },
    };
    const code = dagToCode({ tasks: [task({ arguments: values })] });
    const [node] = builder.build(code).structure.nodes;
    expect(node).toMatchObject({ arguments: { a: { value: values.a }, "b-c": { value: values["b-c"] } } });
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

function circle(): never {
  const value: { self?: unknown } = {};
  value.self = value;
  return value as never;
}

function convert(code: string): DAGStructure {
  const conversion = structureToDag(builder.build(code));
  if (!conversion.ok) throw new Error(conversion.reasons.map(({ reason }) => reason).join());
  return conversion.dag;
}

function task(more: Partial<DagTask>): DagTask {
  const plain = {
    id: "t1",
    tool: "fs:read",
    type: "mcp_tool",
    arguments: {},
    dependsOn: [],
    sideEffects: true,
  } as const;
  return { ...plain, metadata: {}, ...more };
}
