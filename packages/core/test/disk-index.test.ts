import { CapabilityStore, type Database, openPglite, type Queryable } from "@pml/core";
import { createHashEmbedder } from "@pml/embeddings";
import { describe, expect, it } from "vitest";

const FEW = 5;
const WORDS = ["apples", "boats", "clouds", "drums", "eggs", "foxes", "guitars", "hats"];

describe("more vectors than are held in memory", () => {
  it.each([64, 2500, 4500])("are found on disk, with %i dimensions", async (dimensions) => {
    const embedder = createHashEmbedder({ dimensions });
    await using store = await CapabilityStore.open({ embedder, exactUpTo: FEW });
    await fill(store);
    for (const word of WORDS)
      expect((await store.searchByIntent(`count the ${word}`))[0]).toMatchObject({
        capability: { intent: `count the ${word}` },
        semanticScore: expect.closeTo(1, 2),
      });
    const indexes = await store.context.database.query("select from pg_indexes where indexdef like '%hnsw%'");
    expect(indexes).toHaveLength(dimensions > 4000 ? 0 : 1);
  });

  it("stay in memory where no index can be made, which is said once", async () => {
    const warnings: string[] = [];
    const database = withoutIndexes(await openPglite({ dataDir: ":memory:" }));
    await using store = await CapabilityStore.open({
      database,
      embedder: createHashEmbedder(),
      exactUpTo: FEW,
      warn: (message) => warnings.push(message),
    });
    await fill(store);
    expect((await store.searchByIntent("count the hats"))[0]?.capability.intent).toBe("count the hats");
    expect(warnings).toHaveLength(1);
  });

  it("are read into memory again once they are few enough", async () => {
    const database = await openPglite({ dataDir: ":memory:" });
    const embedder = createHashEmbedder();
    await fill(await CapabilityStore.open({ database, embedder, exactUpTo: FEW }));
    await using store = await CapabilityStore.open({ database, embedder });
    expect((await store.searchByIntent("count the hats"))[0]?.capability.intent).toBe("count the hats");
  });
});

async function fill(store: CapabilityStore): Promise<void> {
  for (const word of WORDS)
    await store.create({
      source: { type: "tool", toolId: "a:b", defaultArgs: { word } },
      intent: `count the ${word}`,
    });
}

const refuse = (transaction: Queryable): Queryable => ({
  query: (sql, parameters) => transaction.query(sql, parameters),
  exec: (sql) => (sql.includes("using hnsw") ? Promise.reject(new Error("denied")) : transaction.exec(sql)),
});

/** A server on which this role may make no index. */
function withoutIndexes(database: Database): Database {
  return {
    query: (sql, parameters) => database.query(sql, parameters),
    exec: (sql) => database.exec(sql),
    transaction: (work) => database.transaction((transaction) => work(refuse(transaction))),
    listen: (...given) => database.listen(...given),
    close: () => database.close(),
  };
}
