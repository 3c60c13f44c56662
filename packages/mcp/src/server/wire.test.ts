import { expect, it } from "vitest";

import { fromWire, toWire } from "./wire.js";

it("spells our keys in snake_case, and leaves alone what is not ours", () => {
  const answer = {
    workflowId: "w",
    result: { camelCase: 1 },
    approval: { expiresAt: new Date(0), tools: [{ arguments: [{ filePath: "a" }] }] },
    suggestions: { dag: { toolSchemas: { "fs:readFile": { inputSchema: { maxLength: 1 }, requiredInputs: [] } } } },
    cacheHit: undefined,
  };
  expect(toWire(answer)).toEqual({
    workflow_id: "w",
    result: { camelCase: 1 },
    approval: { expires_at: "1970-01-01T00:00:00.000Z", tools: [{ arguments: [{ filePath: "a" }] }] },
    suggestions: { dag: { tool_schemas: { "fs:readFile": { input_schema: { maxLength: 1 }, required_inputs: [] } } } },
  });
});

it("reads a plan back as it was given", () => {
  const dag = {
    tasks: [{ id: "a", tool: "x:y", dependsOn: [], sideEffects: true, arguments: { some_key: { $from: "b" } } }],
  };
  expect(fromWire(toWire(dag))).toEqual(dag);
});
