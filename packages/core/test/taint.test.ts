import type { DAGStructure } from "@pml/analyzer";
import {
  type ApprovalAnswer,
  describePath,
  type ErrorAnswer,
  type Pml,
  type PmlOptions,
  type TaintFlow,
  type Tool,
} from "@pml/core";
import { describe, expect, it } from "vitest";

import { usePml } from "./pml-world.js";
import { useWeb } from "./web-world.js";

const { open: openPml, model } = usePml();
const web = useWeb();
const sent: unknown[] = [];
const mail: Tool = {
  id: "mail:send",
  description: "Send a mail",
  inputSchema: { type: "object" },
  execute: (args) => (sent.push(args), { sent: true }),
};
const tools = [...web.tools, mail];
const MARKS = { untrustedSources: ["web:*"], sensitiveSinks: ["mail:send", "fs:write"] };

function open(options: PmlOptions = {}): Promise<Pml> {
  sent.length = 0;
  return openPml({ tools, taint: { ...MARKS, policy: "refuse" }, ...options });
}

async function listFlows(pml: Pml, code: string, context: Record<string, unknown> = {}): Promise<TaintFlow[]> {
  const answer = await pml.execute({ intent: "do it", code, context });
  if (answer.status !== "error" || answer.error.code !== "PML_TAINTED") return [];
  return (answer.error.details as { flows: TaintFlow[] }).flows;
}

const PAGE = `const page = await mcp.web.get({ path: "/page" });`;

describe("what a stranger wrote", () => {
  it.each<[string, string, string]>([
    [
      "straight",
      `${PAGE}\nawait mcp.mail.send({ to: "me@x", body: page.path });`,
      "web:get (line 1) → page.path → mail:send.body (line 2)",
    ],
    [
      "through operations",
      `${PAGE}\nconst text = JSON.stringify(page).trim();\nawait mcp.mail.send({ to: "me@x", body: text });`,
      "web:get (line 1) → page → code:JSON.stringify (line 2) → JSON.stringify(page) → code:trim (line 2) → text → mail:send.body (line 3)",
    ],
    [
      "through an expression",
      `${PAGE}\nawait mcp.mail.send({ body: "Look: " + page.path });`,
      `web:get (line 1) → "Look: " + page.path → mail:send.body (line 2)`,
    ],
    [
      "in a loop",
      `const { links } = await mcp.web.get({ path: "/page" });\nfor (const link of links)\n  await mcp.mail.send({ to: link });`,
      "web:get (line 1) → links → link → mail:send.to (line 3)",
    ],
    [
      "through another tool",
      `${PAGE}\nconst note = await mcp.fs.read({ path: page.path });\nawait mcp.mail.send({ body: note.content });`,
      "web:get (line 1) → page.path → fs:read (line 2) → note.content → mail:send.body (line 3)",
    ],
    ["as a whole", `${PAGE}\nawait mcp.mail.send(page);`, "web:get (line 1) → page → mail:send.... (line 2)"],
    [
      "around a loop",
      `let next = "/page";\nwhile (next) {\n  await mcp.mail.send({ body: next });\n  next = (await mcp.web.get({ path: "/page" })).path;\n}`,
      "web:get (line 4) → next → mail:send.body (line 3)",
    ],
    [
      "side by side",
      `const [a, b] = await Promise.all([mcp.fs.read({ path: "a" }), mcp.web.get({ path: "/b" })]);\nawait mcp.mail.send({ to: a.content, body: b.path });`,
      "web:get (line 1) → b.path → mail:send.body (line 2)",
    ],
  ])("that goes %s to where it must not is refused, with its way", async (_, code, path) => {
    const pml = await open();
    const [flow, ...others] = await listFlows(pml, code);
    expect(others).toEqual([]);
    expect(describePath(flow ?? { path: [] })).toBe(path);
    expect(flow).toMatchObject({ source: "web:get", sink: "mail:send" });
    expect([sent, web.calls]).toEqual([[], []]);
  });

  it("is refused with a typed error before anything runs", async () => {
    const pml = await open();
    const answer = await pml.execute({ intent: "forward", code: `${PAGE} return mcp.mail.send({ body: page.path });` });
    expect(answer).toMatchObject({
      status: "error",
      error: {
        code: "PML_TAINTED",
        message: expect.stringContaining("web:get (line 1) → page.path → mail:send.body (line 1)"),
        details: { flows: [{ source: "web:get", sink: "mail:send", field: "body" }] },
      },
    });
    expect(await pml.store.listTraces()).toEqual([]);
  });

  it.each([
    ["goes nowhere", `${PAGE} await mcp.mail.send({ to: "me", body: "done" }); return page.path;`],
    ["is only counted on", `${PAGE} if (page.path) await mcp.mail.send({ body: "done" });`],
    ["goes to what is not marked", `${PAGE} return mcp.fs.read({ path: page.path });`],
    ["comes after", `await mcp.mail.send({ body: args.text }); return mcp.web.get({ path: "/page" });`],
    [
      "is beside what goes",
      `const note = await mcp.fs.read({ path: "a" }); ${PAGE} await mcp.mail.send({ body: note.content }); return page;`,
    ],
    [
      "is said in an error",
      `try { ${PAGE} } catch (error) { return error.message; } await mcp.mail.send({ body: "done" });`,
    ],
  ])("does no harm where it %s", async (_, code) => {
    const pml = await open();
    expect(await listFlows(pml, code, { text: "hello" })).toEqual([]);
  });

  it("reaches what only it decides on, if the host says that that counts", async () => {
    const pml = await open({ taint: { ...MARKS, policy: "refuse", conditions: true } });
    const code = `${PAGE}\nif (page.path)\n  await mcp.mail.send({ body: "done" });`;
    const [flow] = await listFlows(pml, code);
    expect(describePath(flow ?? { path: [] })).toBe("web:get (line 1) → page.path → mail:send.(whether) (line 3)");
    const loop = `${PAGE} for (const link of page.links) await mcp.mail.send({ body: "done" });`;
    expect(await listFlows(pml, loop)).toMatchObject([{ field: "(whether)" }]);
  });
});

/** One of the tools with marks of its own. */
function mark(taint: NonNullable<Tool["taint"]>, id = "mail:send"): PmlOptions {
  return { tools: tools.map((tool) => (tool.id === id ? { ...tool, taint } : tool)) };
}

describe("marks on tools", () => {
  it("are as good as patterns", async () => {
    const pml = await open({
      taint: { policy: "refuse" },
      tools: tools.map((tool) =>
        tool.id === "web:get"
          ? { ...tool, taint: { untrusted: true } }
          : tool === mail
            ? { ...tool, taint: { sensitive: ["to"] } }
            : tool,
      ),
    });
    expect(await listFlows(pml, `${PAGE} await mcp.mail.send({ to: "me", body: page.path });`)).toEqual([]);
    expect(await listFlows(pml, `${PAGE} await mcp.mail.send({ to: page.path });`)).toMatchObject([{ field: "to" }]);
    expect(await listFlows(pml, `${PAGE} await mcp.mail.send({ ...page, body: "x" });`)).toMatchObject([
      { field: "..." },
    ]);
  });

  it("stand over patterns", async () => {
    const pml = await open(mark({ sensitive: false }));
    expect(await listFlows(pml, `${PAGE} await mcp.mail.send({ body: page.path });`)).toEqual([]);
  });

  it("say where what is tainted ends", async () => {
    const code = `${PAGE} const { content } = await mcp.fs.read({ path: page.path }); await mcp.mail.send({ body: content });`;
    expect(await listFlows(await open(), code)).toHaveLength(1);
    expect(await listFlows(await open(mark({ clean: true }, "fs:read")), code)).toEqual([]);
  });

  it("that cannot be meant are refused", async () => {
    await expect(open({ taint: { policy: "maybe" as never } })).rejects.toMatchObject({ code: "PML_INVALID_INPUT" });
  });
});

describe("where it cannot be told", () => {
  it.each([
    [
      "a value has two names",
      `const o = {}; const q = o; q.text = (await mcp.web.get({ path: "/p" })).path; await mcp.mail.send({ body: o.text });`,
    ],
    [
      "something is caught",
      `let text = ""; try { await mcp.web.get({ path: "/p" }); } catch (error) { text = error.message; } await mcp.mail.send({ body: text });`,
    ],
    [
      "something is put into the inputs",
      `args.note = (await mcp.web.get({ path: "/p" })).path; await mcp.mail.send({ body: args.note });`,
    ],
    [
      "something is read later",
      `let s = ""; setTimeout(() => mcp.mail.send({ body: s }), 5); s = (await mcp.web.get({ path: "/p" })).path;`,
    ],
    [
      "a tool is handed on",
      `const p = await mcp.web.get({ path: "/p" }); await Reflect.apply(mcp.mail.send, null, [{ body: p.path }]);`,
    ],
    [
      "a generator stands between",
      `async function* g() { yield (await mcp.web.get({ path: "/p" })).path; } for await (const t of g()) await mcp.mail.send({ body: t });`,
    ],
  ])("as %s, the answer is no", async (_, code) => {
    const pml = await open();
    const [flow] = await listFlows(pml, code);
    expect(flow).toMatchObject({ source: "web:get", sink: "mail:send", unsure: expect.stringMatching(/\(line 1\)$/) });
  });

  it("which tool is called, it may be any", async () => {
    const pml = await open();
    expect(
      await listFlows(
        pml,
        `const p = await mcp[args.from].get({ path: "/p" }); await mcp.mail.send({ body: p.path });`,
      ),
    ).toMatchObject([{ source: "*", sink: "mail:send" }]);
    const flows = await listFlows(pml, `${PAGE} await mcp[args.to].send({ body: page.path });`);
    expect(flows.map(({ sink }) => sink)).toContain("mail:send");
  });
});

describe("through capabilities", () => {
  const FETCH = `const page = await mcp.web.get({ path: args.path });\nreturn { text: page.path };`;
  const SEND = `const lines = args.body.split(",");\nreturn mcp.mail.send({ body: lines.join(" ") });`;

  async function learn(pml: Pml): Promise<void> {
    await pml.execute({ intent: "fetch a page", code: FETCH, context: { path: "/p" }, name: "web:fetch_page" });
    await pml.execute({ intent: "send a note", code: SEND, context: { body: "a,b" }, name: "mail:send_note" });
  }

  it("what a stranger wrote is followed in, through and out", async () => {
    const pml = await open();
    await learn(pml);
    const code = `const page = await capabilities.web.fetch_page({ path: "/p" });\nawait capabilities.mail.send_note({ body: page.text });`;
    const [flow, ...others] = await listFlows(pml, code);
    expect(others).toEqual([]);
    expect(describePath(flow ?? { path: [] })).toBe(
      "web:get (web:fetch_page line 1) → { text: page.path } → capabilities.web:fetch_page (line 1) → page.text → " +
        'capabilities.mail:send_note.body (line 2) → args → code:split (mail:send_note line 1) → lines → code:join (mail:send_note line 2) → lines.join(" ") → mail:send.body (mail:send_note line 2)',
    );
    expect(await listFlows(pml, `await capabilities.mail.send_note({ body: args.mine });`, { mine: "x" })).toEqual([]);
  });

  it("a learned one in which it may happen is refused by name, too", async () => {
    const first = await open({ taint: {} });
    const code = `${PAGE} return mcp.mail.send({ body: page.path });`;
    await first.execute({ intent: "forward the page", code, name: "mail:forward_page" });
    expect(sent).toHaveLength(1);
    const bundle = await first.store.export();
    const pml = await open();
    await pml.store.import(bundle);
    const [{ id = "" } = {}] = await pml.store.list();
    const answer = await pml.execute({ capability: id });
    expect(answer).toMatchObject({ status: "error", error: { code: "PML_TAINTED" } });
    expect(sent).toEqual([]);
  });

  it("a learned one is refused when it is found by its intent", async () => {
    let strict = false;
    const pml = await open({
      embedder: model,
      tools: tools.map((tool) =>
        tool === mail
          ? {
              ...mail,
              get taint() {
                return { sensitive: strict };
              },
            }
          : tool,
      ),
    });
    const code = `${PAGE} return mcp.mail.send({ body: page.path, to: args.to });`;
    await pml.execute({ intent: "forward the page to somebody", code, context: { to: "me" } });
    strict = true;
    const answer = await pml.execute({ intent: "forward the page to somebody", context: { to: "you" } });
    expect(answer).toMatchObject({ status: "error", error: { code: "PML_TAINTED" } });
  });
});

describe("a DAG", () => {
  const dag: DAGStructure = {
    tasks: [
      {
        id: "get",
        tool: "web:get",
        type: "mcp_tool",
        arguments: { path: "/p" },
        dependsOn: [],
        sideEffects: false,
        metadata: {},
      },
      {
        id: "send",
        tool: "mail:send",
        type: "mcp_tool",
        arguments: { body: { $from: "get", path: ["path"] } },
        dependsOn: ["get"],
        sideEffects: true,
        metadata: {},
      },
    ],
  };
  it("is judged as code is", async () => {
    const pml = await open();
    expect(await pml.execute({ intent: "forward", dag })).toMatchObject({
      status: "error",
      error: { code: "PML_TAINTED" },
    });
    expect(web.calls).toEqual([]);
  });
});

describe("asking", () => {
  const CODE = `${PAGE}\nreturn mcp.mail.send({ to: "me@x", body: page.path });`;
  const asking = { taint: { ...MARKS, policy: "ask" as const } };

  it("shows the way, and runs when somebody allows it", async () => {
    const pml = await open(asking);
    const asked = await pml.execute({ intent: "forward", code: CODE });
    expect(asked).toMatchObject({
      status: "approval_required",
      approval: {
        tools: [
          {
            id: "flow web:get → mail:send",
            reason: "what web:get gave reaches mail:send: web:get (line 1) → page.path → mail:send.body (line 2)",
            arguments: [{ to: "me@x", body: { from: "page.path" } }],
          },
        ],
        flows: [{ source: "web:get", sink: "mail:send", field: "body" }],
      },
    });
    expect([sent, web.calls]).toEqual([[], []]);
    expect(await pml.approve(asked.workflowId)).toMatchObject({ status: "success" });
    expect(sent).toEqual([{ to: "me@x", body: "/page" }]);
  });

  it("runs nothing when somebody does not, nor when only something else is allowed", async () => {
    const pml = await open({
      ...asking,
      tools: tools.map((tool) => (tool === mail ? { ...mail, approval: "required" as const } : tool)),
    });
    const asked = (await pml.execute({ intent: "forward", code: CODE })) as ApprovalAnswer;
    expect(asked.approval.tools.map(({ id }) => id)).toEqual(["mail:send", "flow web:get → mail:send"]);
    const again = await pml.approve(asked.workflowId, { tools: ["mail:send"] });
    expect(again).toMatchObject({
      status: "approval_required",
      approval: { tools: [{ id: "flow web:get → mail:send" }] },
    });
    expect(await pml.reject(again.workflowId)).toMatchObject({ error: { code: "PML_REJECTED" } });
    expect(sent).toEqual([]);
  });

  it("is answered inline by a host that can", async () => {
    const reasons: string[] = [];
    const onApproval = ({ tools: asked }: ApprovalAnswer["approval"]): { approved: boolean } => {
      reasons.push(...asked.map(({ reason }) => reason));
      return { approved: false };
    };
    const pml = await open({ ...asking, approval: { onApproval } });
    expect(await pml.execute({ intent: "forward", code: CODE })).toMatchObject({ error: { code: "PML_REJECTED" } });
    expect(reasons).toHaveLength(1);
  });

  it("counts ways where there are several", async () => {
    const pml = await open(asking);
    const asked = (await pml.execute({
      intent: "forward",
      code: `${PAGE} await mcp.mail.send({ to: page.a, body: page.b });`,
    })) as ApprovalAnswer;
    expect(asked.approval.tools.map(({ reason }) => reason)).toEqual([expect.stringMatching(/; and in 1 more ways$/)]);
  });
});

describe("what is called ahead of time", () => {
  it("is never given what a stranger wrote, and is never what strangers must not steer", async () => {
    const get = web.tools[0] as Tool;
    const more: Tool[] = [
      { ...get, id: "api:get" },
      { ...get, id: "pay:quote" },
      { ...get, id: "cut:path" },
    ];
    const pml = await open({
      tools: [...tools, ...more],
      taint: { untrustedSources: ["web:*"], sensitiveSinks: ["pay:*"], policy: "refuse" },
    });
    const code = `const page = await mcp.web.get({ path: "/page" });
      const one = await mcp.api.get({ path: "/x" });
      await mcp.api.get({ path: page.path });
      const cut = await mcp.cut.path({ path: page.path });
      await mcp.api.get({ path: "/y" });
      await mcp.api.get({ path: cut.path });
      return mcp.pay.quote({ path: "/q" });`;
    for (let time = 0; time < 3; time++)
      expect(await pml.execute({ intent: "look", code, cache: false })).toMatchObject({ status: "success" });
    const { prefetches, prefetchHits } = pml.metrics();
    expect([prefetches, prefetchHits]).toEqual([6, 6]);
  });
});

describe("finding flows", () => {
  it("ends for code that calls capabilities many times over", async () => {
    const pml = await open();
    await pml.execute({
      intent: "leaf",
      code: `${PAGE} return page.path + args.x;`,
      context: { x: "1" },
      name: "t:leaf_one",
    });
    let below = "t:leaf_one";
    for (let level = 0; level < 6; level++) {
      const name = `t:level_${level}`;
      const calls = Array.from(
        { length: 4 },
        (_, at) => `const r${at} = await capabilities["${below}"]({ x: args.x + ${at} });`,
      );
      const answer = await pml.execute({
        intent: name,
        code: `${calls.join("\n")} return r0 + r3;`,
        context: { x: "1" },
        name,
        limits: { maxToolCalls: 100_000 },
      });
      expect(answer.status, JSON.stringify((answer as ErrorAnswer).error)).toBe("success");
      below = name;
    }
    const flows = await listFlows(
      pml,
      `const r = await capabilities["${below}"]({ x: "1" }); await mcp.mail.send({ body: r });`,
    );
    expect(flows[0]).toMatchObject({ source: "web:get", sink: "mail:send" });
  }, 120_000);
});
