import { deepStrictEqual, rejects } from "node:assert/strict";

import type { Database } from "../store/database/database.js";

/** One thing a database has to do. `run` throws if it does not. */
export interface DatabaseTrial {
  name: string;
  run(open: () => Promise<Database>): Promise<void>;
}

/** What a `Database` has to do, for any test framework; `open` gives an empty PostgreSQL with pgvector each time. */
export const databaseContract: readonly DatabaseTrial[] = [
  trial("gives values back as they went in", async (database) => {
    const values = [7, 1.5, true, "it's \\ $1 é", new Date(5), ["a", "b,c"], null];
    const [row] = await database.query(
      "select $1::int as a, $2::float8 as b, $3::boolean as c, $4::text as d, $5::timestamptz as e, $6::text[] as f, $7::text as g",
      values,
    );
    deepStrictEqual(Object.values(row ?? {}), values);
  }),
  trial("gives JSON back parsed, whatever its strings hold", async (database) => {
    const [row] = await database.query("select $1::json as value", [JSON.stringify({ text: "\0 \ud800", list: [1] })]);
    deepStrictEqual(row, { value: { text: "\0 \ud800", list: [1] } });
  }),
  trial("keeps a transaction that succeeds, and nothing of one that fails", async (database) => {
    await database.exec("create table kept (value int)");
    await database.transaction((transaction) => transaction.query("insert into kept values (1)"));
    const failing = database.transaction(async (transaction) => {
      await transaction.query("insert into kept values (2)");
      throw new Error("no");
    });
    await rejects(failing, /^Error: no$/);
    deepStrictEqual(await database.query("select value from kept"), [{ value: 1 }]);
  }),
  trial(
    "keeps nothing of a transaction in which a statement failed, and says so, though the work did not mind",
    async (database) => {
      await database.exec("create table kept (value int)");
      const careless = database.transaction(async (transaction) => {
        await transaction.query("insert into kept values (1)");
        await transaction.query("select from nowhere").catch(() => {});
      });
      await rejects(careless, { name: "PmlError" });
      deepStrictEqual(await database.query("select value from kept"), []);
    },
  ),
  trial("answers nothing for a transaction that is over", async (database) => {
    const kept = await database.transaction(async (transaction) => ({ transaction }));
    await rejects(kept.transaction.query("select 1"), { name: "PmlError" });
  }),
  trial("runs transactions that are started together, each whole", async (database) => {
    await database.exec("create table counted (value int); insert into counted values (0)");
    const add = (): Promise<unknown> =>
      database.transaction((transaction) => transaction.query("update counted set value = value + 1"));
    await Promise.all(Array.from({ length: 10 }, add));
    deepStrictEqual(await database.query("select value from counted"), [{ value: 10 }]);
  }),
  trial("goes on after a statement that is wrong", async (database) => {
    await rejects(database.query("select from nowhere"), { name: "PmlError" });
    deepStrictEqual(await database.query("select 1 as one"), [{ one: 1 }]);
  }),
  trial("tells listeners of what was committed, and of nothing else", async (database) => {
    const heard: string[] = [];
    const stop = await database.listen("contract", (payload) => heard.push(payload));
    const undone = database.transaction(async (transaction) => {
      await transaction.query("select pg_notify('contract', 'undone')");
      throw new Error("no");
    });
    await rejects(undone);
    await database.query("select pg_notify('contract', 'done')");
    for (let wait = 0; wait < 100 && heard.length === 0; wait++)
      await new Promise((resolve) => setTimeout(resolve, 20));
    await stop();
    deepStrictEqual(heard, ["done"]);
  }),
  trial("finds the nearest vector", async (database) => {
    await database.exec("create extension if not exists vector");
    const [row] = await database.query("select $1::vector <=> $2::vector as distance", ["[1,0]", "[0,1]"]);
    deepStrictEqual(row, { distance: 1 });
  }),
  trial("can be closed twice, and says so when asked afterwards", async (database) => {
    await Promise.all([database.close(), database.close()]);
    await rejects(database.query("select 1"));
  }),
];

function trial(name: string, test: (database: Database) => Promise<void>): DatabaseTrial {
  return {
    name,
    async run(open) {
      const database = await open();
      try {
        await test(database);
      } finally {
        await database.close();
      }
    },
  };
}
