import { openPglite } from "@pml/core";
import { expect, it } from "vitest";

import { describeStore } from "./store-suite.js";

describeStore("PGlite", () => openPglite({ dataDir: ":memory:" }));

it("a value that cannot go to the thread of PGlite is refused, and nobody waits for it", async () => {
  const database = await openPglite({ dataDir: ":memory:" });
  await expect(database.query("select $1", [() => 1])).rejects.toMatchObject({ code: "PML_INVALID_INPUT" });
  expect(await database.query("select 1 as one")).toEqual([{ one: 1 }]);
  await database.close();
});
