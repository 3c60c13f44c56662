import type { PmlError } from "@pml/core";
import { CapabilityStore, type Database, type NewCapability, type StoreChange, type StoreOptions } from "@pml/core";
import { databaseContract } from "@pml/core/testing";
import { createHashEmbedder } from "@pml/embeddings";
import { describe, expect, it } from "vitest";

/** What crosses the walls of a store and what does not, whatever database is behind it. */
export function describeSharing(name: string, open: () => Promise<Database>): void {
  const create = async (options: Partial<StoreOptions> = {}): Promise<CapabilityStore> =>
    CapabilityStore.open({ database: await open(), embedder: createHashEmbedder(), ...options });
  let serial = 0;
  const code = (given: Partial<NewCapability> = {}): NewCapability => ({
    source: { type: "code", code: `return mcp.fs.read({ path: "file-${++serial}.json" });` },
    intent: `read the file number ${serial}`,
    ...given,
  });

  describe(`the walls of a store on ${name}`, () => {
    it("keep scopes apart, in every question", async () => {
      const own = await create();
      const other = own.withScope({ project: "other" });
      const intent = "a secret procedure";
      const { capability } = await own.create(code({ intent }));
      const hidden = await own.create(code({ intent, visibility: "private" }));
      const shared = await own.create(code({ intent, visibility: "org" }));
      const found = async (from: CapabilityStore): Promise<string[]> =>
        (await from.searchByIntent(intent)).map((match) => match.capability.id).sort();
      expect(await found(other)).toEqual([shared.capability.id]);
      expect(await found(own.withScope({ actor: "eve" }))).toEqual([capability.id, shared.capability.id].sort());
      expect(await other.find(capability.id)).toBeUndefined();
      expect(await own.withScope({ actor: "eve" }).find(hidden.capability.id)).toBeUndefined();
      expect(await other.findByHash(capability.hash)).toBeUndefined();
      expect((await other.list()).map(({ id }) => id)).toEqual([shared.capability.id]);
      await expect(other.remove(shared.capability.id)).rejects.toMatchObject({ code: "PML_NOT_FOUND" });
      await expect(
        other.recordRun({
          trace: { capabilityId: capability.id, success: true, startedAt: new Date(), durationMs: 1 },
        }),
      ).rejects.toMatchObject({ code: "PML_NOT_FOUND" });
      await own.close();
    });

    it("keep the runs of what is private to its owner, also once it is gone", async () => {
      await using own = await create({ scope: { actor: "ann" } });
      const eve = own.withScope({ actor: "eve" });
      const { capability } = await own.create(code({ visibility: "private" }));
      const { traceId } = await own.recordRun({
        trace: { capabilityId: capability.id, success: true, startedAt: new Date(), durationMs: 1, args: { pin: 1 } },
        pastIntent: { intent: "what ann asks", toolIds: [] },
        learned: [{ kind: "x", key: "y" }],
      });
      const seen = async (by: CapabilityStore): Promise<number[]> => [
        (await by.listTraces()).length,
        (await by.listPastIntents()).length,
        (await by.listOrigins({ kind: "x", key: "y" })).length,
        (await by.listLearnedFrom(traceId)).length,
      ];
      expect(await seen(own)).toEqual([1, 1, 1, 3]);
      expect(await seen(eve)).toEqual([0, 0, 0, 0]);
      await expect(eve.getTrace(traceId)).rejects.toMatchObject({ code: "PML_NOT_FOUND" });
      await own.remove(capability.id);
      expect((await seen(own))[0]).toBe(1);
      expect(await seen(eve)).toEqual([0, 0, 0, 0]);
    });

    it.each([
      ["in memory", {}],
      ["by an index on disk", { exactUpTo: 10 }],
    ])("leave a project's own to be found %s, however much others have", async (_, options) => {
      await using store = await create(options);
      const crowd = store.withScope({ project: "crowd" });
      for (let count = 0; count < 60; count++) await crowd.create(code({ intent: `water the plants ${count}` }));
      const mine = await store.create(code({ intent: "feed the plants and the cat" }));
      const shared = await crowd.create(code({ intent: "repot the plants", visibility: "org" }));
      const found = await store.searchByIntent("water the plants", { limit: 3 });
      expect(found.map(({ capability }) => capability.id).sort()).toEqual(
        [mine.capability.id, shared.capability.id].sort(),
      );
      expect(await crowd.searchByIntent("water the plants", { limit: 50 })).toHaveLength(50);
    });

    it("let no change be heard beyond its project", async () => {
      await using store = await create();
      const heard: StoreChange[] = [];
      const stop = await store.onChange((change) => heard.push(change));
      await store.withScope({ project: "other" }).create(code());
      const { capability } = await store.create(code());
      await expect.poll(() => heard.map(({ id }) => id)).toContain(capability.id);
      expect(heard.every(({ project }) => project === "default")).toBe(true);
      await stop();
    });
  });

  describe(`what a store on ${name} gives away and takes in`, () => {
    it("is capabilities, as drafts, if their code is what their hash says", async () => {
      const [from, to] = [await create(), await create()];
      const { capability } = await from.create(code({ name: "fs:read_one", toolsUsed: ["fs:read"] }));
      const bundle: unknown = JSON.parse(JSON.stringify(await from.export()));
      const { imported } = await to.import(bundle);
      expect(await to.get(imported[0] ?? "")).toMatchObject({
        hash: capability.hash,
        name: "fs:read_one",
        status: "draft",
      });
      expect(await to.import(bundle)).toMatchObject({ imported: [], skipped: imported });
      await expect(to.import(bundle, "error")).rejects.toMatchObject({ code: "PML_CONFLICT" });
      const forged = structuredClone(bundle) as { capabilities: { source: { code: string } }[] };
      forged.capabilities[0]!.source.code = "return mcp.shell.run({ command: 'x' });";
      await expect(to.import(forged)).rejects.toMatchObject({ code: "PML_INVALID_INPUT" });
      await Promise.all([from.close(), to.close()]);
    });

    it("believes nothing of a bundle that can be worked out from its code", async () => {
      const [from, to] = [await create(), await create()];
      await from.create(code());
      const bundle = JSON.parse(JSON.stringify(await from.export())) as { capabilities: NewCapability[] };
      Object.assign(bundle.capabilities[0] as NewCapability, {
        parameterisedCode: "return mcp.shell.run({ command: 'x' });",
        permissions: { tools: [] },
        toolsUsed: ["harmless:tool"],
        parameters: { properties: { path: { default: "/etc/passwd" } } },
      });
      const { imported } = await to.import(bundle);
      const taken = await to.get(imported[0] ?? "");
      expect(taken.toolsUsed).toEqual(["fs:read"]);
      expect(JSON.stringify(taken)).not.toMatch(/shell|passwd|harmless/);
      await Promise.all([from.close(), to.close()]);
    });

    it("takes in what has a taken name without that name, or nothing at all", async () => {
      const [from, to] = [await create(), await create()];
      await from.create(code({ name: "fs:read_one" }));
      await from.create(code());
      await to.create(code({ name: "fs:read_one" }));
      const bundle = await from.export();
      await expect(to.import(bundle, "error")).rejects.toMatchObject({ code: "PML_CONFLICT" });
      expect(await to.list()).toHaveLength(1);
      expect((await to.import(bundle)).imported).toHaveLength(2);
      expect(await to.listNamed()).toHaveLength(1);
      await Promise.all([from.close(), to.close()]);
    });

    it.each<[string, unknown]>([
      ["nothing", null],
      ["a number", 1],
      ["no bundle", {}],
      ["a bundle of a later version", { format: "pml-capabilities", version: 9, capabilities: [] }],
      ["nothing for a capability", bundleOf(null)],
      ["a capability without a source", bundleOf({ intent: "x" })],
      ["code that is no text", bundleOf({ intent: "x", source: { type: "code", code: 5 } })],
      ["code that does not parse", bundleOf({ intent: "x", source: { type: "code", code: "((" } })],
      ["a DAG that is none", bundleOf({ intent: "x", source: { type: "dag", dagStructure: [] } })],
      ["a name that is a table", bundleOf({ intent: "x", name: {}, source: { type: "code", code: "return 1" } })],
    ])("refuses %s for a bundle", async (_, bundle) => {
      await using store = await create();
      await expect(store.import(bundle)).rejects.toMatchObject({ code: "PML_INVALID_INPUT" });
      expect(await store.list()).toEqual([]);
    });
  });

  describe(`changes of a store on ${name}`, () => {
    it("are told of, and whose they are", async () => {
      await using store = await create();
      const changes: string[] = [];
      const stop = await store.onChange(({ table, id }, own) => changes.push(`${table} ${id} ${own}`));
      const { capability } = await store.put(code());
      await expect.poll(() => changes).toContain(`workflow_pattern ${capability.id} true`);
      await stop();
    });

    it("reach another store on the same database: what it learned is found, and what it removed is not", async () => {
      const database = await open();
      const openOne = (): Promise<CapabilityStore> =>
        CapabilityStore.open({ database, embedder: createHashEmbedder() });
      const [one, two] = (await Promise.all([openOne(), openOne()])) as [CapabilityStore, CapabilityStore];
      const { capability } = await one.create(code({ intent: "share what I know" }));
      const found = async (): Promise<string[]> =>
        (await two.searchByIntent("share what I know")).map((match) => match.capability.id);
      await expect.poll(found).toEqual([capability.id]);
      await one.recordRun({
        trace: { capabilityId: capability.id, success: true, startedAt: new Date(), durationMs: 1 },
        pastIntent: { intent: "in other words", toolIds: [] },
      });
      const { vectors, scope } = two.context;
      const [asked] = await vectors.embed(["in other words"]);
      await expect
        .poll(async () => (await vectors.search("intent", asked as Float32Array, { limit: 1, scope })).length)
        .toBe(1);
      await one.remove(capability.id);
      await expect.poll(found).toEqual([]);
      await one.close();
    });

    it("that nobody of ours wrote are not heard", async () => {
      await using store = await create();
      const heard: unknown[] = [];
      await store.onChange((change) => heard.push(change));
      for (const payload of ["", "nonsense", "null", "[]", '{"table":1}'])
        await store.context.database.query("select pg_notify('pml_change', $1)", [payload]);
      const { capability } = await store.put(code());
      await expect.poll(() => heard).toMatchObject([{ id: capability.id }]);
    });
  });

  describe(`the database of a store on ${name}`, () => {
    it.each(databaseContract.map((trial) => [trial.name, trial] as const))("%s", async (_, trial) => {
      await expect(trial.run(open)).resolves.toBeUndefined();
    });

    it("refuses to be asked from outside inside a transaction, or simply answers", async () => {
      const database = await open();
      const nested = database.transaction(() => database.query("select 1 as one"));
      await nested.then(
        (rows) => expect(rows).toEqual([{ one: 1 }]),
        (error: PmlError) => expect(error.code).toBe("PML_NESTED_TRANSACTION"),
      );
      expect(await database.query("select 2 as two")).toEqual([{ two: 2 }]);
      await database.close();
    });

    it("answers what a transaction set going and left behind", async () => {
      const database = await open();
      let later: Promise<unknown> | undefined;
      await database.transaction(async () => {
        later = new Promise((resolve) => setTimeout(resolve, 20)).then(() => database.query("select 3 as three"));
      });
      expect(await later).toEqual([{ three: 3 }]);
      await database.close();
    });
  });
}

function bundleOf(capability: unknown): unknown {
  return { format: "pml-capabilities", version: 1, capabilities: [capability] };
}
