import { createHash, randomUUID } from "node:crypto";

import { type Pml, openPglite } from "@pml/core";
import { renderHtml } from "@pml/viewer";
import { afterAll, describe, expect, it } from "vitest";

import type { MemoryView } from "../src/memory-view.js";
import { openMemory, runSome } from "./small-memory.js";

const pml = await openMemory();
await runSome(pml);
afterAll(() => pml.close());

function readView(html: string): MemoryView {
  const json = /<script type="application\/json" id="memory">([^<]*)<\/script>/.exec(html)?.[1];
  return JSON.parse(json ?? "null") as MemoryView;
}

describe("renderHtml", () => {
  it("draws an empty memory too", async () => {
    const empty = await openMemory({ tools: [] });
    const html = await renderHtml(empty);
    await empty.close();
    expect(html).toMatch(/^<!doctype html>/);
    expect(readView(html)).toMatchObject({ capabilities: [], tools: [], definition: { nodes: [] } });
  });

  it("allows its own script and style, and nothing else", async () => {
    const html = await renderHtml(pml);
    const policy = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(html)?.[1] ?? "";
    const hashOf = (tag: string): string => {
      const text = new RegExp(`<${tag}>([^]*?)</${tag}>`).exec(html)?.[1] ?? "";
      return `${tag}-src 'sha256-${createHash("sha256").update(text).digest("base64")}'`;
    };
    expect(policy.split("; ")).toEqual([
      "default-src 'none'",
      hashOf("script"),
      hashOf("style"),
      "img-src data:",
      "base-uri 'none'",
      "form-action 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ]);
  });

  it("is one file: it names nothing that would have to be loaded", async () => {
    const html = await renderHtml(pml);
    const links = [...html.matchAll(/\b(?:src|href)=(["'])(.*?)\1/g)].map((match) => match[2]);
    expect(links.filter((link) => link !== "data:,")).toEqual([]);
    expect(html).not.toMatch(/@import|url\((?!#|"#)/);
  });

  it("holds what runs have taught", async () => {
    const { capabilities, tools, definition, invocation } = readView(await renderHtml(pml));
    const [capability] = capabilities;
    expect(capability).toMatchObject({
      name: "mail:remind_customers",
      statistics: { uses: 3, successes: 3 },
      tools: ["db:query", "mail:send"],
      record: {
        fqdn: expect.stringMatching(/\.mail\.remind_customers\.[0-9a-f]{4}$/),
        version: 2,
        aliases: ["mail:remind_people"],
      },
    });
    expect(capability?.versions.map(({ version }) => version)).toEqual([2, 1]);
    expect(capability?.versions[0]?.diff).toContain('+return "done";');
    expect(capability?.structure?.nodes.map(({ type }) => type)).toContain("loop");
    expect(capability?.learning.decisions).not.toEqual([]);
    expect(capability?.runs).toHaveLength(3);
    expect(capability?.runs[0]?.tasks[0]).toMatchObject({ tool: "db:query", success: true, startMs: 0 });
    expect(capability?.related.every(({ reason }) => reason !== "")).toBe(true);
    expect(tools.find(({ id }) => id === "mail:send")).toMatchObject({ usedBy: [capability?.id], uses: {} });
    expect(definition.links.map(({ type }) => type)).toContain("contains");
    expect(invocation.captions.length).toBeGreaterThan(2);
  });

  it("draws versions of one name as one", async () => {
    const { definition, capabilities } = readView(await renderHtml(pml));
    const drawn = definition.nodes.filter(({ kind }) => kind === "capability");
    expect(drawn.map(({ thing }) => thing)).toEqual(capabilities.map(({ id }) => `capability:${id}`));
  });

  it("draws the same memory the same", async () => {
    const now = new Date(0);
    expect(await renderHtml(pml, { now })).toBe(await renderHtml(pml, { now }));
  });

  it("changes nothing that the memory knows", async () => {
    const before = JSON.stringify([
      await pml.capabilities.list(),
      await pml.store.listToolUsage(),
      pml.graph.snapshot(),
    ]);
    await renderHtml(pml);
    const after = JSON.stringify([
      await pml.capabilities.list(),
      await pml.store.listToolUsage(),
      pml.graph.snapshot(),
    ]);
    expect(after).toBe(before);
  });

  it("leaves values out when told to", async () => {
    const withValues = await renderHtml(pml);
    const without = await renderHtml(pml, { values: false });
    expect(withValues).toContain("customer-7");
    expect(without).not.toContain("customer-7");
    expect(readView(without).capabilities[0]?.runs[0]?.tasks).not.toEqual([]);
  });

  it("shows nobody what is private to someone else, nor how it ran", async () => {
    const database = await openPglite({ dataDir: ":memory:" });
    const shared = {
      query: database.query,
      exec: database.exec,
      transaction: database.transaction,
      listen: database.listen,
    };
    const bound = Object.fromEntries(Object.entries(shared).map(([name, call]) => [name, call.bind(database)]));
    const project = randomUUID();
    const as = (actor: string): Promise<Pml> =>
      openMemory({ database: { ...bound, close: async () => {} } as never, scope: { project, actor } });
    const ada = await as("ada");
    await ada.capabilities.create({
      intent: "what ada keeps to herself",
      code: `return mcp.db.query({ sql: "select secret_of_ada" })`,
      visibility: "private",
    });
    const [own] = await ada.capabilities.list();
    await ada.execute({ capability: own?.id ?? "", intent: "the run that ada keeps to herself" });
    const grace = await as("grace");
    const html = await renderHtml(grace);
    expect(await renderHtml(ada)).toContain("keeps to herself");
    expect(html).not.toContain("keeps to herself");
    expect(html).not.toContain(own?.id);
    expect(readView(html).invocation.nodes).toEqual([]);
    for (const each of [ada, grace]) await each.close();
    await database.close();
  });

  it.each([
    ["a title that is no text", { title: 1 }],
    ["more runs than are read well", { mostRuns: 1000 }],
    ["half a run", { mostRuns: 0.5 }],
    ["a renderer there is not", { renderer: "paper" }],
    ["a time that is none", { now: new Date(Number.NaN) }],
  ])("refuses %s", async (_, options) => {
    await expect(renderHtml(pml, options as never)).rejects.toMatchObject({
      code: "PML_INVALID_INPUT",
    });
  });
});
