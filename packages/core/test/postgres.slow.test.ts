// oxlint-disable vitest/no-conditional-tests -- where there is no server, the suite says so instead
import { execFileSync } from "node:child_process";

import { CapabilityStore, createPml, openPostgres, type Pml } from "@pml/core";
import { createHashEmbedder } from "@pml/embeddings";
import type { ThresholdSnapshot } from "@pml/graph";
import { afterAll, describe, expect, it } from "vitest";

import { describeNames } from "./names-suite.js";
import { startPostgres } from "./postgres-server.js";
import { describeStore } from "./store-suite.js";

const WRITERS = 8;
const RUNS_EACH = 50;

const server = await startPostgres();

if (server.available) {
  const openEmpty = async (): Promise<Awaited<ReturnType<typeof openPostgres>>> =>
    openPostgres({ connectionString: await server.createDatabase() });

  const openTwo = async (): Promise<CapabilityStore[]> => {
    const connectionString = await server.createDatabase();
    const open = async (): Promise<CapabilityStore> =>
      CapabilityStore.open({ database: await openPostgres({ connectionString }), embedder: createHashEmbedder() });
    // At once: each finds an empty database, and one of them migrates it.
    return Promise.all([open(), open()]);
  };

  afterAll(() => server.stop());
  describeStore("PostgreSQL", openEmpty);
  describeNames("PostgreSQL", openEmpty);

  describe("processes that share a PostgreSQL server", () => {
    it("migrate it once, and hear of each other's changes", async () => {
      const [one, two] = (await openTwo()) as [CapabilityStore, CapabilityStore];
      const heard: unknown[] = [];
      await two.onChange((change, own) => heard.push([change.table, change.id, own]));
      const { capability } = await one.create({
        source: { type: "code", code: "return mcp.a.b();" },
        intent: "share what I know",
      });
      await expect.poll(() => heard).toContainEqual(["workflow_pattern", capability.id, false]);
      await expect
        .poll(async () => (await two.searchByIntent("share what I know"))[0]?.capability.id)
        .toBe(capability.id);
      await one.remove(capability.id);
      await expect.poll(() => two.searchByIntent("share what I know")).toEqual([]);
      await Promise.all([one.close(), two.close()]);
    });

    it(`lose nothing when ${WRITERS} write at once`, async () => {
      const connectionString = await server.createDatabase();
      const open = async (): Promise<CapabilityStore> =>
        CapabilityStore.open({
          database: await openPostgres({ connectionString, maxConnections: 4 }),
          embedder: createHashEmbedder(),
        });
      const stores = await Promise.all(Array.from({ length: WRITERS }, open));
      const codes = ["return mcp.a.b();", "return mcp.c.d();"];
      const put = (store: CapabilityStore): Promise<string[]> =>
        Promise.all(
          codes.map(
            async (code) => (await store.create({ source: { type: "code", code }, intent: "count" })).capability.id,
          ),
        );
      const ids = await Promise.all(stores.map(put));
      expect(new Set(ids.map((each) => each.join())).size, "the same code is stored once").toBe(1);
      const [first = "", second = ""] = ids[0] ?? [];
      await Promise.all(
        stores.map((store, writer) => write(store, writer % 2 === 0 ? [first, second] : [second, first])),
      );
      for (const id of [first, second])
        expect((await stores[0]?.get(id))?.statistics.usageCount).toBe((WRITERS * RUNS_EACH) / 2);
      expect(await stores[0]?.getDependencies(first, "from")).toMatchObject([
        { observedCount: (WRITERS * RUNS_EACH) / 2 },
      ]);
      await Promise.all(stores.map((store) => store.close()));
    });

    it("hear again of changes after their connection broke, and of those in between", async () => {
      const [one, two] = (await openTwo()) as [CapabilityStore, CapabilityStore];
      const create = async (intent: string): Promise<string> =>
        (await one.create({ source: { type: "tool", toolId: "a:b", defaultArgs: { intent } }, intent })).capability.id;
      const find = async (intent: string): Promise<string | undefined> =>
        (await two.searchByIntent(intent))[0]?.capability.id;
      // All connections but the one that says so, those that listen among them.
      await one.context.database.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
      );
      const missed = await create("said while nobody listened");
      await expect.poll(() => find("said while nobody listened"), { timeout: 20_000 }).toBe(missed);
      const heard = await create("said afterwards");
      await expect.poll(() => find("said afterwards"), { timeout: 20_000 }).toBe(heard);
      await Promise.all([one.close(), two.close()]);
    });

    it("count outcomes for a threshold together", async () => {
      const connectionString = await server.createDatabase();
      const open = async (): Promise<Pml> =>
        createPml({ database: await openPostgres({ connectionString }), embedder: createHashEmbedder() });
      const memories = await Promise.all(Array.from({ length: 4 }, open));
      await Promise.all(memories.map(judge));
      const state = await memories[0]?.store.findLearnedState({ kind: "adaptive_threshold", key: "all" });
      const { younger = [], elder = [] } = (state as ThresholdSnapshot).contexts[0] ?? {};
      const sum = (column: 1 | 2): number => [...younger, ...elder].reduce((total, row) => total + row[column], 0);
      expect([sum(1), sum(2)], "right and wrong").toEqual([32, 8]);
      await Promise.all(memories.map((pml) => pml.close()));
    });

    it.each([
      ["that does not close its memory", ""],
      ["that waits until it is closed, and no longer", "await store.close();"],
    ])("do not keep a process from ending %s", async (_, end) => {
      const connectionString = await server.createDatabase();
      const script = `import { CapabilityStore, openPostgres } from "@pml/core"; import { createHashEmbedder } from "@pml/embeddings";
        const database = await openPostgres({ connectionString: ${JSON.stringify(connectionString)} });
        const store = await CapabilityStore.open({ database, embedder: createHashEmbedder() });
        ${end}`;
      const options = { cwd: import.meta.dirname, timeout: 60_000 };
      expect(() => execFileSync(process.execPath, ["--input-type=module", "-e", script], options)).not.toThrow();
    });

    it("take over what an embedded database knew, in one call", async () => {
      await using embedded = await CapabilityStore.open({ embedder: createHashEmbedder() });
      const { capability } = await embedded.create({
        source: { type: "code", code: "return mcp.a.b();" },
        intent: "move house",
      });
      await embedded.recordRun({
        trace: {
          capabilityId: capability.id,
          success: true,
          startedAt: new Date(),
          durationMs: 2,
          args: { text: "\0" },
        },
      });
      const database = await openEmpty();
      await embedded.copyTo(database);
      await using moved = await CapabilityStore.open({ database, embedder: createHashEmbedder() });
      expect(await moved.list()).toEqual(await embedded.list());
      expect(await moved.listTraces()).toEqual(await embedded.listTraces());
      expect((await moved.searchByIntent("move house"))[0]?.capability.id).toBe(capability.id);
    });
  });

  it("a server that is not there is an error that says so", async () => {
    const opening = openPostgres({ connectionString: "postgresql://postgres@127.0.0.1:1/none" });
    await expect(opening).rejects.toMatchObject({ code: "PML_DATABASE_UNAVAILABLE" });
  });
} else {
  it("did not run: no PostgreSQL server can be had here", () => {
    console.warn(`The suite did not run on PostgreSQL: ${server.reason}`);
    expect(server.reason).not.toBe("");
  });
}

/** Runs of both, with edges in both directions: a careless order of locks would end in a deadlock. */
async function write(store: CapabilityStore, [one, other]: [string, string]): Promise<void> {
  for (let count = 0; count < RUNS_EACH; count++) {
    const [from, to] = count % 2 === 0 ? [one, other] : [other, one];
    await store.recordRun({
      trace: { capabilityId: from, success: true, startedAt: new Date(), durationMs: 1 },
      capabilityDependencies: [{ fromCapabilityId: from, toCapabilityId: to, edgeType: "sequence" }],
    });
  }
}

/** Says of runs that went by themselves that they were wrong, as a host would. */
async function judge(pml: Pml): Promise<void> {
  for (let count = 0; count < 10; count++) {
    const trace = { success: true, startedAt: new Date(), durationMs: 1, mode: "speculation", match: 0.9 };
    const { traceId } = await pml.store.recordRun({ trace });
    await pml.feedback({ traceId, ok: count % 5 !== 0 });
  }
}
