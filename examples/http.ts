// A memory behind a request handler: who asks decides whose memory answers.
import assert from "node:assert/strict";

// #region readme
import { createPml } from "@pml/core";
import { createHttpHandler } from "@pml/http";

const pml = await createPml({ dataDir: ":memory:" });
const keys = new Map([["key-1", { org: "acme", project: "web", actor: "erin" }]]);

const handle = createHttpHandler(pml, {
  authorize: ({ headers }) => keys.get(headers.get("x-api-key") ?? ""), // undefined: 401
});

const request = new Request("http://localhost/api/capabilities", { headers: { "x-api-key": "key-1" } });
const response = await handle(request);
console.log(response.status, await response.json()); // 200, and nothing learned yet
// #endregion
assert.equal(response.status, 200);

const store = pml.store.withScope({ org: "acme", project: "web", actor: "erin" });
const [build, deploy] = await Promise.all(
  ["build", "deploy"].map(async (word) => {
    const source = { type: "code", code: `return mcp.shell.run({ command: "${word}" });` } as const;
    return (await store.create({ intent: `${word} the app`, source, toolsUsed: ["shell:run"] })).capability.id;
  }),
);

interface Body {
  code?: string;
  dependencies: { edge_source: string }[];
  capabilities: { dependencies_count: number }[];
  edges: { edge_type: string }[];
}

async function call(method: string, path: string, body?: unknown): Promise<{ status: number; body: Body }> {
  const headers = { "x-api-key": "key-1", "content-type": "application/json" };
  const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
  const answer = await handle(new Request(`http://localhost${path}`, init));
  const text = await answer.text();
  console.log(method, path.replace(deploy ?? "", ":deploy").replace(build ?? "", ":build"), answer.status);
  return { status: answer.status, body: JSON.parse(text || "null") as Body };
}

const dependencies = `/api/capabilities/${deploy}/dependencies`;
const edge = { to_capability_id: build, edge_type: "contains" };
assert.equal((await call("POST", dependencies, edge)).status, 201);
assert.equal((await call("POST", dependencies, edge)).body.code, "PML_CONFLICT");
assert.equal((await call("GET", dependencies)).body.dependencies[0]?.edge_source, "manual");
const { capabilities } = (await call("GET", "/api/capabilities?sort=usage")).body;
assert(capabilities.every((each) => each.dependencies_count > 0));
const graph = (await call("GET", "/api/graph/hypergraph")).body;
assert(graph.edges.some((each) => each.edge_type === "contains"));
assert.equal((await call("DELETE", `${dependencies}/${build}`)).status, 204);
assert.equal((await handle(new Request("http://localhost/api/capabilities"))).status, 401);

await pml.close();
