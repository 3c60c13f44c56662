// The shortest use of the analyzer. The region is the example that READMEs show.
import assert from "node:assert/strict";

// #region readme
import { StaticStructureBuilder, structureToDag } from "@pml/analyzer";

const tools = [{ id: "fs:read" }, { id: "json:parse" }];
const code = `
  const file = await mcp.fs.read({ path: "config.json" });
  return mcp.json.parse({ json: file.content });
`;
const analysis = new StaticStructureBuilder({ tools }).build(code);
const conversion = structureToDag(analysis);

console.log(analysis.permissions.tools); // what it may call: fs:read and json:parse
console.log(analysis.parameters.properties); // what it can be given: path, by default "config.json"
console.log(conversion.ok && conversion.dag.tasks); // the second task takes `content` from the first
// #endregion

assert.deepEqual(analysis.permissions.tools, ["fs:read", "json:parse"]);
assert.equal(analysis.parameters.properties?.["path"]?.default, "config.json");
assert(conversion.ok);
assert.deepEqual(
  conversion.dag.tasks.map(({ tool, dependsOn }) => ({ tool, dependsOn })),
  [
    { tool: "fs:read", dependsOn: [] },
    { tool: "json:parse", dependsOn: [conversion.dag.tasks[0]?.id] },
  ],
);
