// What was learned gets a name, versions and a history, and names go on working.
import assert from "node:assert/strict";

// #region learn
import { createPml } from "@pml/core";

const notes = new Map([["today.md", "# Today\n- buy milk\n- call Ada\n"]]);
const pml = await createPml({
  scope: { org: "acme", project: "notes", actor: "erin" },
  tools: [
    {
      id: "fs:read",
      description: "Read a file as text",
      inputSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
      annotations: { readOnlyHint: true },
      execute: ({ path }) => notes.get(String(path)) ?? "",
    },
  ],
});

await pml.execute({
  intent: "list what there is to do",
  code: `return (await mcp.fs.read({ path: "today.md" })).split("\\n").filter((line) => line.startsWith("- "));`,
  name: "notes:list_tasks",
});
// Code calls it by this name, and so does a host.
const count = await pml.execute({
  intent: "count what there is to do",
  code: "return (await capabilities.notes.list_tasks({})).length;",
  name: "notes:count_tasks",
});
// #endregion
assert(count.status === "success" && count.result === 2);

// #region change
await pml.names.update("notes:list_tasks", {
  code: `return (await mcp.fs.read({ path: "today.md" })).split("\\n").filter((line) => /^[-*] /.test(line));`,
  versionTag: "v2.0.0",
  changeSummary: "Stars are tasks, too",
});
notes.set("today.md", "- buy milk\n* call Ada\n* sleep\n");

const now = await pml.execute({ capability: "notes:list_tasks" });
const before = await pml.execute({ capability: "notes:list_tasks@v1" });
// #endregion
assert(now.status === "success" && before.status === "success");
assert.deepEqual([now.result, before.result], [["- buy milk", "* call Ada", "* sleep"], ["- buy milk"]]);
console.log("the latest version finds", now.result, "and the first", before.result, "\n");

// #region rename
await pml.names.rename("notes:list_tasks", "todo:list_open");
const old = await pml.execute({ capability: "notes:list_tasks" }); // works, and warns
const [newest] = await pml.history("todo:list_open");
console.log(newest?.diff);

await pml.names.rollback("todo:list_open", "v1");
const { fqdn, version, aliases } = await pml.lookup("todo:list_open");
// #endregion
assert(old.status === "success");
assert.match(old.warnings?.join() ?? "", /old name of "todo:list_open"/);
assert.match(newest?.diff ?? "", /^\+return .*\[-\*\]/m);
assert.deepEqual(
  [version, aliases],
  [3, ["notes:list_tasks"]],
  "history only grows: the first version is the third, too",
);
console.log(old.warnings?.[0], `It is ${fqdn}, in version ${version}.\n`);

// #region others
await pml.names.tag("todo:list_open", { add: ["daily"], visibility: "org" });
const site = { org: "acme", project: "site", actor: "sam" };
const found = await pml.query({ scope: site, tags: ["daily"] });
const theirs = await pml.names.withScope(site).fork({ source: "acme.notes:todo:list_open", name: "todo:list_ours" });
// #endregion
assert.deepEqual(
  found.map(({ displayName }) => displayName),
  ["todo:list_open"],
);
assert.equal(theirs.forkedFrom, fqdn);
console.log(`Another project of acme finds ${found[0]?.fqdn} and has a copy of its own: ${theirs.fqdn}\n`);

// #region curate
await pml.execute({ intent: "read the notes of today", code: `return mcp.fs.read({ path: "today.md" });` });
const { suggestions } = await pml.capabilities.curate({ strategy: "suggest" });
// #endregion
assert.deepEqual(
  suggestions.map(({ name }) => name),
  ["fs:read_notes"],
);
for (const { currentName, name, reason } of suggestions) console.log(`${currentName} could be ${name}: ${reason}`);
await pml.close();
