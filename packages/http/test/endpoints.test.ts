import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { createWorld, type World } from "./world.js";

let world: World;
let [build, test, push, deploy] = ["", "", "", ""];
beforeAll(async () => {
  world = await createWorld();
  [build = "", test = "", push = "", deploy = ""] = world.ids;
});
afterAll(() => world.close());

const ask: World["ask"] = (...parameters) => world.ask(...parameters);

describe("POST /api/capabilities/:id/dependencies", () => {
  it("AC10: creates a dependency, by hand unless something else is said", async () => {
    const { status, body, headers } = await ask("POST", `/api/capabilities/${deploy}/dependencies`, {
      to_capability_id: build,
      edge_type: "contains",
    });
    expect(status).toBe(201);
    expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(body).toEqual({
      created: true,
      dependency: {
        from_capability_id: deploy,
        to_capability_id: build,
        edge_type: "contains",
        edge_source: "manual",
        observed_count: 1,
        confidence_score: 1,
        created_at: expect.stringMatching(/^\d{4}-.*Z$/),
        last_observed: expect.stringMatching(/^\d{4}-.*Z$/),
      },
    });
  });

  it("refuses one that is there with 409, also when both come at once", async () => {
    const edge = { to_capability_id: push, edge_type: "sequence", edge_source: "template" };
    const replies = await Promise.all([1, 2, 3].map(() => ask("POST", `/api/capabilities/${test}/dependencies`, edge)));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    const [stored] = await world.store.getDependencies(test, "from");
    expect(stored).toMatchObject({ observedCount: 1, edgeSource: "template", confidenceScore: 0.5 });
  });

  it("AC13: lets two depend on each other", async () => {
    const edge = { to_capability_id: test, edge_type: "sequence" };
    expect((await ask("POST", `/api/capabilities/${push}/dependencies`, edge)).status).toBe(201);
  });
});

describe("GET /api/capabilities/:id/dependencies", () => {
  it.each([
    ["", ["contains"]],
    ["?direction=both", ["contains"]],
    ["?direction=from", []],
    ["?direction=to", ["contains"]],
  ])("AC9: with %j gives those of that direction", async (query, types) => {
    const { status, body } = await ask("GET", `/api/capabilities/${build}/dependencies${query}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      capability_id: build,
      total: types.length,
      dependencies: types.map((edge_type) => ({ edge_type, from_capability_id: deploy, to_capability_id: build })),
    });
  });
});

describe("GET /api/capabilities", () => {
  it("AC8: has dependencies_count for each", async () => {
    const { status, body } = await ask("GET", "/api/capabilities?sort=name");
    expect(status).toBe(200);
    const { capabilities } = body as { capabilities: { id: string; dependencies_count: number }[] };
    const counts = new Map(capabilities.map((each) => [each.id, each.dependencies_count]));
    expect([build, test, push, deploy].map((id) => counts.get(id))).toEqual([1, 2, 2, 1]);
    expect(capabilities[0]).toMatchObject({
      name: "app:build_it",
      status: "active",
      usage_count: 0,
      success_rate: null,
      source_type: "code",
      tools_used: ["build:run"],
      parameters: { properties: { camelCase: { type: "string" } } },
    });
  });

  it("pages through all of them, each once", async () => {
    const seen: string[] = [];
    for (let offset: number | null = 0; offset !== null;) {
      const { body } = await ask("GET", `/api/capabilities?limit=3&sort=name&offset=${offset}`);
      const page = body as { capabilities: { id: string }[]; total: number; next_offset: number | null };
      expect(page.total).toBe(4);
      seen.push(...page.capabilities.map(({ id }) => id));
      offset = page.next_offset;
    }
    expect([...seen].sort()).toEqual([...world.ids].sort());
  });

  it.each([
    ["namespace=app", 4],
    ["namespace=ap", 0],
    ["named_only=true", 4],
    ["status=draft", 0],
    ["status=active", 4],
    ["min_usage=1", 0],
    ["min_success_rate=0.5", 0],
    ["all_versions=true", 4],
    ["limit=999999999", 4],
    ["offset=999999999", 4],
  ])("filters by %s", async (query, total) => {
    expect(await ask("GET", `/api/capabilities?${query}`)).toMatchObject({ status: 200, body: { total } });
  });
});

describe("GET /api/graph/hypergraph", () => {
  it("AC12: has edges from capability to capability, beside tools and what spans them", async () => {
    const { status, body } = await ask("GET", "/api/graph/hypergraph");
    expect(status).toBe(200);
    expect(body).toMatchObject({ capabilities_count: 4, tools_count: 2, edges_count: 3, truncated: false });
    const { nodes, edges, hyperedges } = body as Record<"nodes" | "edges" | "hyperedges", object[]>;
    expect(nodes).toContainEqual(expect.objectContaining({ id: `capability:${build}`, label: "app:build_it" }));
    expect(nodes).toContainEqual(expect.objectContaining({ id: "fs:read", type: "tool", server: "fs", label: "read" }));
    const contains = { from: `capability:${deploy}`, to: `capability:${build}`, edge_type: "contains" };
    expect(edges).toContainEqual(expect.objectContaining({ ...contains, kind: "capability" }));
    expect(hyperedges).toContainEqual({ capability_id: build, tools: ["build:run"] });
  });

  it("has tools that runs have joined", async () => {
    await world.store.recordRun({
      trace: { success: true, startedAt: new Date(), durationMs: 1 },
      toolDependencies: [{ fromToolId: "fs:read", toToolId: "json:parse", edgeType: "dependency" }],
    });
    const { body } = await ask("GET", "/api/graph/hypergraph?min_confidence=0.6");
    const { edges } = body as { edges: object[] };
    expect(edges).toContainEqual(expect.objectContaining({ from: "fs:read", to: "json:parse", kind: "tool" }));
  });

  it("says when it shows less than there is", async () => {
    const { body } = await ask("GET", "/api/graph/hypergraph?limit=2");
    expect(body).toMatchObject({ capabilities_count: 2, truncated: true });
  });
});

describe("DELETE /api/capabilities/:from/dependencies/:to", () => {
  it("AC11: removes a dependency, of one type if asked", async () => {
    const path = `/api/capabilities/${deploy}/dependencies/${build}`;
    expect((await ask("DELETE", `${path}?edge_type=sequence`)).status).toBe(404);
    expect(await ask("DELETE", `${path}?edge_type=contains`)).toMatchObject({ status: 204, body: undefined });
    expect(await ask("DELETE", path)).toMatchObject({ status: 404, body: { code: "PML_NOT_FOUND" } });
    expect(await world.store.getDependencies(build)).toEqual([]);
  });
});
