import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { SuccessAnswer } from "@pml/core";
import { afterAll, describe, expect, it } from "vitest";

import { createFileTools, usePml } from "./pml-world.js";

const { open, model } = usePml();
const folder = mkdtempSync(join(tmpdir(), "pml-manage-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const CODE = `const file = await mcp.fs.read({ path: "a.json" }); return JSON.parse(file.content).name;`;

describe("capabilities by hand", () => {
  it("are analysed, active at once, found by intent and run by name", async () => {
    const pml = await open({ tools: createFileTools().tools, embedder: model });
    const made = await pml.capabilities.create({ intent: "read the name in a file", code: CODE, name: "fs:read_name" });
    expect(made).toMatchObject({ status: "active", name: "fs:read_name", toolsUsed: ["fs:read"] });
    expect(made.parameters).toMatchObject({ properties: { path: { default: "a.json" } } });
    const answer = await pml.execute({ capability: "fs:read_name", args: { path: "b.json" } });
    expect(answer).toMatchObject({ status: "success", result: "b" });
    const { results } = await pml.discover({ intent: "read the name in a file", filter: { type: "capability" } });
    expect(results[0]?.id).toBe(made.id);
    expect((await pml.capabilities.list()).map(({ id }) => id)).toEqual([made.id]);
    expect((await pml.capabilities.get("fs:read_name")).id).toBe(made.id);
    expect((await pml.capabilities.create({ intent: "read the name in a file", code: CODE })).id).toBe(made.id);
  });

  it("may be a tool with default arguments", async () => {
    const pml = await open({ tools: createFileTools().tools });
    const tool = { id: "fs:read", defaultArgs: { path: "a.json" } };
    const { id } = await pml.capabilities.create({ intent: "read a", tool });
    expect(await pml.execute({ capability: id })).toMatchObject({
      status: "success",
      result: { content: '{"name":"a"}' },
    });
  });

  it("go away when they are removed", async () => {
    const pml = await open({ tools: createFileTools().tools });
    const { id } = await pml.capabilities.create({ intent: "read a", code: CODE });
    await pml.capabilities.remove(id);
    expect(await pml.capabilities.list()).toEqual([]);
    await expect(pml.capabilities.get(id)).rejects.toMatchObject({ code: "PML_NOT_FOUND" });
  });

  it.each([
    ["with nothing to run", {}, "PML_INVALID_INPUT"],
    ["with two things to run", { code: CODE, tool: { id: "fs:read" } }, "PML_INVALID_INPUT"],
    ["with a secret", { code: `return mcp.fs.read({ path: "a", password: "hunter2" })` }, "PML_INVALID_INPUT"],
    ["that call a tool that is not there", { code: `return mcp.fs.nope({})` }, "PML_TOOL_NOT_FOUND"],
    ["that do not parse", { code: `return mcp.` }, "ANALYZER_SYNTAX"],
  ])("%s are refused, and nothing is stored", async (_, given, code) => {
    const pml = await open({ tools: createFileTools().tools });
    await expect(pml.capabilities.create({ intent: "x", ...given })).rejects.toMatchObject({ code });
    expect(await pml.capabilities.list()).toEqual([]);
  });
});

describe("what a host asks about names most", () => {
  it("is at hand: lookup, query, whois and history, of each scope its own", async () => {
    const pml = await open({ tools: createFileTools().tools });
    await pml.execute({ intent: "read a name", code: CODE, name: "fs:read_name" });
    await pml.names.update("fs:read_name", {
      code: CODE.replace("a.json", "b.json"),
      versionTag: "v1.1.0",
      acceptDifferences: true,
    });
    expect(await pml.lookup("fs:read_name")).toMatchObject({ displayName: "fs:read_name", version: 2 });
    expect((await pml.query({ namespace: "fs" })).map(({ displayName }) => displayName)).toEqual(["fs:read_name"]);
    expect(await pml.whois("fs:read_name")).toMatchObject({ toolsUsed: ["fs:read"], record: { version: 2 } });
    expect(await pml.history("fs:read_name")).toHaveLength(2);
    const scope = { project: "elsewhere" };
    expect(await pml.query({ scope })).toEqual([]);
    await expect(pml.lookup("fs:read_name", { scope })).rejects.toMatchObject({ code: "PML_NOT_FOUND" });
  });

  it("includes names for what has none", async () => {
    const pml = await open({ tools: createFileTools().tools });
    const { capabilityId } = (await pml.execute({ intent: "read a name from json", code: CODE })) as SuccessAnswer;
    const suggested = await pml.capabilities.curate({ strategy: "suggest" });
    expect(suggested).toMatchObject({ suggestions: [{ id: capabilityId, namespace: "fs" }], applied: [] });
    const { applied } = await pml.capabilities.curate({ strategy: "auto" });
    expect(applied).toMatchObject([{ id: capabilityId }]);
    expect((await pml.capabilities.get(applied[0]?.name ?? "")).id).toBe(capabilityId);
  });
});

describe("backup and restore", () => {
  it("carry a memory over: what it learned runs, its thresholds stand, its graph is there", async () => {
    const file = join(folder, "one.backup");
    const scope = { project: "one" };
    const from = await open({ tools: createFileTools().tools, embedder: model, dataDir: join(folder, "from"), scope });
    await from.execute({ intent: "read the name in the json file a.json", code: CODE });
    const context = { path: "b.json" };
    const again = await from.execute({ intent: "read the name in the json file b.json", context });
    const { threshold } = await from.feedback({ traceId: (again as SuccessAnswer).traceId, ok: false });
    await from.backup(file);

    const to = await open({ tools: createFileTools().tools, embedder: model, dataDir: join(folder, "to"), scope });
    expect(to.graph.hasNode("fs:read")).toBe(false);
    await to.restore(file);
    expect(to.graph.hasNode("fs:read")).toBe(true);
    const [learned] = await to.capabilities.list();
    expect(await to.execute({ capability: learned?.id ?? "", args: context })).toMatchObject({ result: "b" });
    const other = await to.feedback({ traceId: (again as SuccessAnswer).traceId, ok: true });
    expect(other).toMatchObject({ counted: false, threshold });
    const { results } = await to.discover({ intent: "delete a file", filter: { type: "tool" } });
    expect(results[0]?.id).toBe("fs:delete");
  });

  it("refuse a memory that has learned, and a file that is none, and leave all as it was", async () => {
    const dataDir = join(folder, "kept");
    const pml = await open({ tools: createFileTools().tools, dataDir });
    const broken = join(folder, "broken.backup");
    writeFileSync(broken, "no");
    await expect(pml.restore(broken)).rejects.toMatchObject({ code: "PML_INVALID_INPUT" });
    expect(await pml.store.listTools()).toHaveLength(4);
    await pml.execute({ intent: "read a", code: CODE });
    const file = join(folder, "two.backup");
    await pml.backup(file);
    await expect(pml.restore(file)).rejects.toMatchObject({ code: "PML_NOT_EMPTY" });
    expect(await pml.capabilities.list()).toHaveLength(1);
  });
});
