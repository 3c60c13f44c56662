// What PML knows about code an agent wrote before any of it runs, and what it sees when it does.
import assert from "node:assert/strict";

import { type Analysis, type DagTask, StaticStructureBuilder, structureToDag } from "@pml/analyzer";
import { createSandbox } from "@pml/sandbox";

import { drawStructure } from "./understand/draw-structure.js";
import { createFileTools } from "./understand/file-tools.js";

const PATH = { type: "object", properties: { path: { type: "string" } }, required: ["path"] } as const;
const tools = [
  { id: "fs:stat", inputSchema: PATH, annotations: { readOnlyHint: true } },
  { id: "fs:read", inputSchema: PATH, annotations: { readOnlyHint: true } },
  { id: "fs:create", inputSchema: PATH },
  { id: "fs:write", inputSchema: { ...PATH, properties: { ...PATH.properties, content: { type: "string" } } } },
] as const;

const code = `const file = await mcp.fs.stat({ path });
if (file.exists) {
  const content = await mcp.fs.read({ path });
  return content;
} else {
  await mcp.fs.create({ path });
  await mcp.fs.write({ path, content: "" });
}`;

const analysis = new StaticStructureBuilder({ tools }).build(code);
const conversion = structureToDag(analysis);
assert(conversion.ok, "this code is a DAG");

print("An agent wrote", code.split("\n"));
print("It may do this, every branch of it", drawStructure(analysis.structure));
print(
  "Data flows",
  analysis.dataFlow.map(({ from, to, input, path }) => `${from}.${path?.join(".")} → ${to} (${input})`),
);
print("It needs", listParameters(analysis));
print("It may call", [
  ...analysis.permissions.tools,
  `and runs under the permission set "${analysis.permissions.set}" or wider`,
]);
print("The same as a DAG", conversion.dag.tasks.map(drawTask));
print("Kept for reuse, with its literals as defaults", analysis.parameterised.code.split("\n"));

const sandbox = createSandbox();
for (const context of [{ path: "config.json" }, { path: "notes.txt" }]) {
  const run = sandbox.run({ code: analysis.instrumented.code, tools: createFileTools(), context });
  const steps: string[] = [];
  for await (const event of run.events) {
    if (event.type === "tool_start") steps.push(`${event.nodeId}  ${event.tool} ${JSON.stringify(event.args)}`);
    if (event.type === "decision") steps.push(`${event.nodeId}  ${event.outcome}`);
  }
  const result = await run.result;
  assert(result.status === "success");
  print(`It ran with ${JSON.stringify(context)}`, [...steps, `and returned ${JSON.stringify(result.value)}`]);
}
await sandbox.close();

const tasks = analysis.structure.nodes.flatMap((node) => (node.type === "task" ? [node.tool] : []));
assert.deepEqual(tasks, ["fs:stat", "fs:read", "fs:create", "fs:write"]);
assert.deepEqual(analysis.permissions.tools, ["fs:create", "fs:read", "fs:stat", "fs:write"]);
assert.deepEqual(analysis.parameters.required, ["path"]);

function print(title: string, lines: readonly string[]): void {
  console.log(`${title}:\n\n${lines.map((line) => `    ${line}`).join("\n")}\n`);
}

function listParameters({ parameters }: Analysis): string[] {
  return Object.entries(parameters.properties ?? {}).map(([name, schema]) => {
    const need = parameters.required?.includes(name) ? "required" : `default ${JSON.stringify(schema.default)}`;
    return `${name}: ${schema.type ?? "anything"}, ${need}`;
  });
}

function drawTask({ id, tool, arguments: inputs, dependsOn, when }: DagTask): string {
  const after = dependsOn.length === 0 ? "at once" : `after ${dependsOn.join(", ")}`;
  const only = when === undefined ? "" : `, when ${JSON.stringify(when)}`;
  return `${id}  ${tool} ${JSON.stringify(inputs)}  ${after}${only}`;
}
