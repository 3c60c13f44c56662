import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

import { CapabilityStore, openPglite } from "@pml/core";
import { createHashEmbedder } from "@pml/embeddings";
import { afterAll, describe, expect, it } from "vitest";

const root = mkdtempSync(join(tmpdir(), "pml-transfer-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const open = (): Promise<CapabilityStore> => CapabilityStore.open({ embedder: createHashEmbedder() });

describe("a backup", () => {
  it("holds everything, and restores it into an empty store only", async () => {
    const store = await fill(await open());
    const file = join(root, "memory.backup");
    await store.backup(file);
    await using restored = await open();
    await restored.restore(file);
    expect(await restored.list()).toEqual(await store.list());
    expect(await restored.listTraces()).toEqual(await store.listTraces());
    expect(await restored.getAllDependencies()).toEqual(await store.getAllDependencies());
    expect(await restored.listTools()).toEqual(await store.listTools());
    expect(await restored.searchByIntent("the first thing")).toEqual(await store.searchByIntent("the first thing"));
    await expect(restored.restore(file)).rejects.toMatchObject({ code: "PML_NOT_EMPTY" });
    await store.close();
  });

  it("goes into another database without a file", async () => {
    const store = await fill(await open());
    const database = await openPglite({ dataDir: ":memory:" });
    await store.copyTo(database);
    await using copy = await CapabilityStore.open({ database, embedder: createHashEmbedder() });
    expect(await copy.list()).toEqual(await store.list());
    await store.close();
  });

  it.each<[string, Buffer]>([
    ["that is not compressed", Buffer.from("hello")],
    ["that is empty", gzipSync("")],
    ["of something else", gzipSync('{"format":"other"}\n')],
    [
      "with a table of its own making",
      gzipSync('{"format":"pml-backup","schema":1}\n{"table":"pg_class","columns":["relname"]}\n["a"]\n'),
    ],
    [
      "with SQL for a name",
      gzipSync('{"format":"pml-backup","schema":1}\n{"table":"workflow; drop table workflow","columns":[]}\n[]\n'),
    ],
    [
      "with SQL for a column",
      gzipSync('{"format":"pml-backup","schema":1}\n{"table":"workflow","columns":["status) select 1; --"]}\n["x"]\n'),
    ],
    ["that ends early", gzipSync('{"format":"pml-backup","schema":1}\n{"table":"workflow","col')],
    ["that is not JSON", gzipSync('{"format":"pml-backup","schema":1}\nnonsense\n')],
  ])("%s is refused, and nothing is restored", async (_, bytes) => {
    const file = join(root, "broken");
    writeFileSync(file, bytes);
    await using store = await open();
    await expect(store.restore(file)).rejects.toMatchObject({ code: "PML_INVALID_INPUT" });
    expect(await store.list()).toEqual([]);
  });

  it("is searched by the embedder of the store it comes into", async () => {
    const store = await fill(await open());
    const file = join(root, "other-embedder.backup");
    await store.backup(file);
    await store.close();
    await using restored = await CapabilityStore.open({ embedder: { ...createHashEmbedder(), id: "another" } });
    await restored.restore(file);
    expect((await restored.searchByIntent("the first thing"))[0]?.capability.intent).toBe("the first thing");
  });

  it("that says its vectors have other dimensions gets new ones", async () => {
    const store = await fill(await open());
    const file = join(root, "short-vectors.backup");
    await store.context.database.exec("update embedding set vector = '[1,0,0]' where kind <> 'intent'");
    await store.backup(file);
    await store.close();
    await using restored = await open();
    await restored.restore(file);
    expect((await restored.searchByIntent("the first thing"))[0]?.capability.intent).toBe("the first thing");
  });

  it("cannot be written where there is no way to, which leaves nothing behind", async () => {
    await using store = await open();
    for (const file of [join(root, "nowhere", "file"), root])
      await expect(store.backup(file)).rejects.toMatchObject({ code: "PML_DIRECTORY_UNWRITABLE" });
    expect(readdirSync(root).filter((name) => name.endsWith(".partial"))).toEqual([]);
  });

  it("of a newer schema is refused", async () => {
    const file = join(root, "newer");
    writeFileSync(file, gzipSync('{"format":"pml-backup","schema":999}\n'));
    await using store = await open();
    await expect(store.restore(file)).rejects.toMatchObject({ code: "PML_DATABASE_NEWER" });
  });
});

describe("another embedder", () => {
  it("gets vectors of its own for all there is, and says how far it is", async () => {
    const dataDir = join(root, "reembed");
    const first = await fill(await CapabilityStore.open({ dataDir, embedder: createHashEmbedder() }));
    await first.close();
    const other = { ...createHashEmbedder(), id: "another" };
    const progress: unknown[] = [];
    await using second = await CapabilityStore.open({
      dataDir,
      embedder: other,
      onReembed: (each) => progress.push(each),
    });
    expect(progress).toEqual([{ done: 3, total: 3 }]);
    expect((await second.searchByIntent("the first thing"))[0]?.capability.intent).toBe("the first thing");
  });

  it("goes on where it was interrupted, and never mixes vectors", async () => {
    const dataDir = join(root, "interrupted");
    const first = await CapabilityStore.open({ dataDir, embedder: createHashEmbedder() });
    for (let count = 0; count < 150; count++)
      await first.create({ source: { type: "tool", toolId: "a:b", defaultArgs: { count } }, intent: `thing ${count}` });
    await first.close();
    const reopen = (failAfter: number, progress: unknown[]): Promise<CapabilityStore> => {
      const hash = createHashEmbedder();
      let calls = 0;
      const embed: typeof hash.embed = (texts) =>
        ++calls > failAfter ? Promise.reject(new Error("out of memory")) : hash.embed(texts);
      return CapabilityStore.open({
        dataDir,
        embedder: { ...hash, id: "another", embed },
        onReembed: (each) => progress.push(each),
      });
    };
    const progress: unknown[] = [];
    await expect(reopen(1, progress)).rejects.toMatchObject({ code: "PML_EMBEDDER" });
    expect(progress).toEqual([{ done: 64, total: 150 }]);
    await using second = await reopen(Infinity, progress);
    expect(progress.slice(1)).toEqual([
      { done: 64, total: 86 },
      { done: 86, total: 86 },
    ]);
    expect(await second.context.database.query("select distinct embedder_id from embedding")).toEqual([
      { embedder_id: "another" },
    ]);
    expect(await second.searchByIntent("thing", { limit: 200 })).toHaveLength(150);
  });
});

describe("a database of a newer version", () => {
  it("is refused, whatever is in it", async () => {
    const dataDir = join(root, "newer-schema");
    const database = await openPglite({ dataDir });
    await database.query("insert into schema_version (version) values (999)");
    await database.close();
    const opening = CapabilityStore.open({ dataDir, embedder: createHashEmbedder() });
    await expect(opening).rejects.toMatchObject({ code: "PML_DATABASE_NEWER", details: { found: 999 } });
    await (await openPglite({ dataDir })).close();
  });
});

async function fill(store: CapabilityStore): Promise<CapabilityStore> {
  const [first, second] = await Promise.all(
    ["the first thing", "the second"].map(async (intent, index) => {
      const { capability } = await store.create({
        source: { type: "code", code: `return mcp.a.b({ c: ${index} });` },
        intent,
        toolsUsed: ["a:b"],
      });
      return capability.id;
    }),
  );
  await store.addDependency({
    fromCapabilityId: first ?? "",
    toCapabilityId: second ?? "",
    edgeType: "dependency",
    edgeSource: "manual",
  });
  await store.putTools([{ id: "a:b", description: "Does b, 'quoted' \\ and é", inputSchema: { type: "object" } }]);
  await store.recordRun({
    trace: { capabilityId: first ?? "", success: true, startedAt: new Date(), durationMs: 3, args: { text: "\0" } },
  });
  return store;
}
