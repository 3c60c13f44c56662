// The shortest use of the graph. The region is the example that READMEs show.
import assert from "node:assert/strict";

// #region readme
import { computeCoverage, factsFromRun, GraphRAGEngine, suggest } from "@pml/graph";

const read = { id: "fs:read", outputSchema: { properties: { content: { type: "string" } } } };
const parse = { id: "json:parse", inputSchema: { properties: { json: { type: "string" } }, required: ["json"] } };
const coverage = computeCoverage(read, parse);
console.log(coverage?.coverage, coverage?.fieldMapping); // strict: content fills json

const engine = new GraphRAGEngine();
const calls = [
  { id: "1", name: "fs:read", startMs: 0, endMs: 5, success: true, result: { content: "[1]" } },
  { id: "2", name: "json:parse", startMs: 6, endMs: 7, success: true, args: { json: "[1]" } },
];
engine.observe(factsFromRun({ trace: "run-1", calls }));
console.log(suggest(engine, ["fs:read"])); // json:parse: "It often follows fs:read."
// #endregion

assert.equal(coverage?.coverage, "strict");
assert.equal(suggest(engine, ["fs:read"])[0]?.id, "json:parse");
assert.equal(engine.getEdgeData("fs:read", "json:parse", "dependency").observations, 1);
