import { migrate, openPglite } from "@pml/core";
import { expect, it } from "vitest";

import { findByAlias, findByName } from "./find-record.js";

const SIZE = 20_000;

it.each([
  ["nobody has counted its rows", ""],
  ["the database knows its rows", "analyze"],
])("names are found by their index in a large project when %s", async (_, prepare) => {
  const database = await openPglite({ dataDir: ":memory:" });
  await migrate(database);
  await database.exec(`
    insert into capability_records (id, display_name, org, project, namespace, action, hash, created_by, updated_by)
      select 'acme.webapp.fs.read_n' || n || '.' || n, 'fs:read_n' || n, 'acme', 'webapp', 'fs', 'read_n' || n, n::text, 'a', 'a' from generate_series(1, ${SIZE}) n;
    insert into capability_aliases (alias, org, project, target_fqdn)
      select 'fs:was_n' || n, 'acme', 'webapp', 'acme.webapp.fs.read_n' || n || '.' || n from generate_series(1, ${SIZE}) n;
    ${prepare}`);
  for (const [sql, index] of [
    [findByName(true), "capability_records_display_name_org_project_owner_key"],
    [findByAlias(true), "capability_aliases_pkey"],
    [findByName(false), "capability_records_display_name_org_project_owner_key"],
    [findByAlias(false), "capability_aliases_pkey"],
  ] as const) {
    const home = sql.includes("$6") ? ["acme", "shared"] : [];
    const parameters = ["acme", "webapp", "erwan", "fs:read_n7", ...home];
    const plan = await database.query<{ "QUERY PLAN": string }>(`explain ${sql}`, parameters);
    const text = plan.map((row) => row["QUERY PLAN"]).join("\n");
    expect(text).toContain(index);
    expect(text).not.toContain("Seq Scan");
  }
  await database.close();
});
