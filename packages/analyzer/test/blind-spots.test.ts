import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { StaticStructureBuilder } from "../src/index.js";
import { findUnseen, runWithTokens } from "./follow-tokens.js";
import { programs } from "./programs.js";
import { SNIPPETS } from "./snippets/all.js";

const builder = new StaticStructureBuilder();
const INPUT = { u: ["u", "v"], urls: ["u", "v"], q: 1, s: "mail", seed: 2 };
const GET = `(await mcp.web.get({ url: "u" }))`;

describe("data that goes", () => {
  it.each([
    ["into an object that has two names", `const o = {}; const q = o; q.t = ${GET}.text; await mcp.mail.send(o);`],
    [
      "into an object that has two names, by the first",
      `const o = {}; const q = o; o.t = ${GET}.text; await mcp.mail.send(q);`,
    ],
    ["into a part that has a name", `const o = { a: {} }; const q = o.a; q.t = ${GET}.text; await mcp.mail.send(o);`],
    ["into a list's element", `const o = {}; const l = [o]; o.t = ${GET}.text; await mcp.mail.send({ l });`],
    [
      "into another tool's result",
      `const t = await mcp.fs.read({}); const q = t; q.x = ${GET}.text; await mcp.mail.send(t);`,
    ],
    [
      "into what a function is given",
      `const o = {}; function put(x, v) { x.t = v; } put(o, ${GET}.text); await mcp.mail.send(o);`,
    ],
    ["into the inputs", `args.note = ${GET}.text; await mcp.mail.send({ body: args.note });`],
    ["into the inputs by another name", `context.note = ${GET}.text; await mcp.mail.send({ body: args.note });`],
    ["through the global object", `globalThis.x = ${GET}.text; await mcp.mail.send({ body: globalThis.x });`],
    [
      "through a getter",
      `let q; const o = { get body() { return q; } }; q = ${GET}.text; await mcp.mail.send({ body: o.body });`,
    ],
    [
      "out of a generator",
      `async function* g() { yield ${GET}.text; } for await (const t of g()) await mcp.mail.send({ t });`,
    ],
    [
      "through what is thrown",
      `try { throw new Error(${GET}.text); } catch (e) { await mcp.mail.send({ body: e.message }); }`,
    ],
    [
      "through a tool's error",
      `await mcp.web.get({}); try { await mcp.web.fail({}); } catch (e) { await mcp.mail.send({ body: e.message }); }`,
    ],
    [
      "through a rejection",
      `await mcp.web.get({}); await mcp.web.fail({}).catch((e) => mcp.mail.send({ body: e.message }));`,
    ],
    [
      "through a promise",
      `const s = await new Promise(async (done) => { done(${GET}.text); }); await mcp.mail.send({ s });`,
    ],
    [
      "through a promise settled elsewhere",
      `let done; const p = new Promise((r) => { done = r; }); done(${GET}.text); await mcp.mail.send({ s: await p });`,
    ],
    ["to whom it is read later", `let s = ""; setTimeout(() => mcp.mail.send({ s }), 5); s = ${GET}.text;`],
    [
      "to whom it is read beside",
      `let s = ""; const l = (async () => { await null; await null; await null; await mcp.mail.send({ s }); })(); s = ${GET}.text; await l;`,
    ],
    [
      "to a continuation",
      `let s = ""; const l = mcp.fs.read({}).then(() => mcp.fs.read({})).then(() => mcp.mail.send({ s })); s = ${GET}.text; await l;`,
    ],
    [
      "to listeners",
      `const f = []; const on = (x) => f.push(x); on((t) => mcp.mail.send({ t })); const p = ${GET}; for (const x of f) await x(p.text);`,
    ],
    [
      "as keys of a map",
      `const p = ${GET}; const m = new Map(p.e); const w = []; m.forEach((v, k) => { w.push(mcp.mail.send({ k })); }); await Promise.all(w);`,
    ],
    [
      "as the list around an element",
      `const p = ${GET}; await Promise.all(p.items.map((x, i, all) => mcp.mail.send({ body: all.map((e) => e.text) })));`,
    ],
    ["as a key", `const p = ${GET}; const o = {}; o[p.text] = 1; await mcp.mail.send({ body: Object.keys(o)[0] });`],
    [
      "through functions of functions",
      `const g = ${GET}.text; const a = () => g, b = () => a(), c = () => b(), d = () => c(), e = () => d(); await mcp.mail.send({ body: e() });`,
    ],
    [
      "through arguments",
      `function f() { return arguments[0]; } const p = ${GET}; await mcp.mail.send({ body: f(p.text) });`,
    ],
    ["through Reflect", `const p = ${GET}; await Reflect.apply(mcp.mail.send, null, [{ body: p.text }]);`],
    [
      "through this",
      `class B { constructor() { this.t = ""; } add(x) { this.t += x; } } const o = new B(); o.add(${GET}.text); await mcp.mail.send({ body: o.t });`,
    ],
    [
      "through what a function closes over",
      `const make = () => { const l = []; const add = (x) => { l.push(x); }; return { l, add }; }; const m = make(); m.add(${GET}.text); await mcp.mail.send({ body: m.l });`,
    ],
    ["into a list in a list", `const g = { a: [] }; const b = g.a; g.a.push(${GET}.text); await mcp.mail.send({ b });`],
  ])("%s is seen, or the code has a blind spot", async (_, code) => {
    expect(await judge(code)).not.toBe("unseen");
  });

  it("is seen or has a blind spot, in every snippet", async () => {
    const unseen: string[] = [];
    for (const [name, code] of SNIPPETS) if ((await judge(code)) === "unseen") unseen.push(name);
    expect(unseen).toEqual([]);
  });

  it("is seen or has a blind spot, in any program", async () => {
    const judged = { seen: 0, blind: 0, unseen: 0 };
    await fc.assert(
      fc.asyncProperty(programs(), async (code) => {
        const verdict = await judge(code);
        judged[verdict]++;
        expect(verdict).not.toBe("unseen");
      }),
      { numRuns: 300 },
    );
    expect(judged.seen).toBeGreaterThan(30);
  });
});

describe("code as agents write it", () => {
  it.each([
    [
      "collects in a loop",
      `const out = []; for (const u of urls) out.push((await mcp.web.get({ u })).text); return mcp.mail.send({ body: out.join() });`,
    ],
    [
      "collects side by side",
      `const out = []; await Promise.all(urls.map(async (u) => { out.push((await mcp.web.get({ u })).text); })); await mcp.mail.send({ out });`,
    ],
    [
      "counts",
      `const n = {}; for (const { kind } of (await mcp.db.list({})).items) n[kind] = (n[kind] ?? 0) + 1; return n;`,
    ],
    [
      "sorts what it got",
      `const { items } = await mcp.db.list({}); items.sort((a, b) => a.n - b.n); return mcp.mail.send({ body: items[0].text });`,
    ],
    [
      "takes results apart",
      `const [a, { b }] = await Promise.all([mcp.fs.read({ a: 1 }), mcp.web.get({})]); return mcp.mail.send({ b, a: a.text });`,
    ],
    ["catches and says so", `try { return await mcp.web.get({}); } catch (error) { return { error: error.message }; }`],
    [
      "catches and goes on",
      `let page; try { page = await mcp.web.get({}); } catch { page = await mcp.web.get({ again: true }); } return page;`,
    ],
    [
      "has helpers",
      `const clean = (s) => s.trim().split(" ").filter(Boolean).join("-"); const p = await mcp.web.get({}); return mcp.mail.send({ body: clean(p.text) });`,
    ],
    ["waits", `await new Promise((done) => setTimeout(done, 1)); return mcp.web.get({});`],
    [
      "walks pages",
      `let next = "u"; const all = []; while (next && all.length < 3) { const p = await mcp.web.get({ next }); all.push(...p.items); next = p.links[0]; } return all;`,
    ],
    [
      "groups in a map",
      `const m = new Map(); for (const e of (await mcp.db.list({})).items) m.set(e.kind, e.text); return mcp.mail.send({ body: [...m.values()] });`,
    ],
  ])("%s without a blind spot", async (_, code) => {
    expect(builder.build(code).blindSpots).toEqual([]);
    expect(await judge(code)).toBe("seen");
  });
});

/** `seen` where every token that a call was given is one that the analysis says may get there. */
async function judge(code: string): Promise<"seen" | "blind" | "unseen"> {
  const analysis = builder.build(code);
  const unseen = findUnseen(analysis, await runWithTokens(analysis.instrumented.code, INPUT));
  if (analysis.blindSpots.length > 0) return "blind";
  return unseen.length === 0 ? "seen" : "unseen";
}
