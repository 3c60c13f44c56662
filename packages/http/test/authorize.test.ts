import { type Authorize, createHttpHandler } from "@pml/http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { addCapability, createWorld, scopeOf, send, type World } from "./world.js";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const ask = (authorize: Authorize, method = "GET", path = "/api/capabilities"): ReturnType<typeof send> =>
  send(createHttpHandler(world, { authorize }), { method, path });

const byHeader: Authorize = ({ headers }) => scopeOf(headers.get("x-project") ?? "none");

describe("authorize", () => {
  it.each([[{}], [{ authorize: undefined }], [{ authorize: null }], [{ authorize: "None" }], [{ authorize: true }]])(
    "has to be there, or to be left out in so many words: not %j",
    (options) => {
      expect(() => createHttpHandler(world, options as never)).toThrow(/authorize/);
    },
  );

  it.each<[string, unknown, number, string]>([
    ["nothing", undefined, 401, "HTTP_UNAUTHORIZED"],
    ["null", null, 401, "HTTP_UNAUTHORIZED"],
    ["false", false, 401, "HTTP_UNAUTHORIZED"],
    ["true, which says not who", true, 401, "HTTP_UNAUTHORIZED"],
    ["an array", [], 401, "HTTP_UNAUTHORIZED"],
    ["401", { status: 401 }, 401, "HTTP_UNAUTHORIZED"],
    ["403", { status: 403 }, 403, "HTTP_FORBIDDEN"],
    ["another status", { status: 200 }, 401, "HTTP_UNAUTHORIZED"],
    ["what is no scope", { user: "someone" }, 500, "HTTP_INTERNAL"],
    ["a scope that is none", { project: 7 }, 422, "PML_INVALID_INPUT"],
  ])("answers %s: nobody gets in", async (_, answer, status, code) => {
    const reply = await ask(() => answer as never);
    expect(reply).toMatchObject({ status, body: { code } });
    expect(reply.headers.has("www-authenticate")).toBe(status === 401);
  });

  it("that throws lets nobody in, and tells nothing", async () => {
    const reply = await ask(() => Promise.reject(new Error("secret")));
    expect(reply.status).toBe(500);
    expect(JSON.stringify(reply.body)).not.toContain("secret");
  });

  it("says why, and how to ask better", async () => {
    const reply = await ask(() => ({ status: 401, detail: "Your key is old.", challenge: 'Basic realm="x"' }));
    expect(reply.body).toMatchObject({ detail: "Your key is old." });
    expect(reply.headers.get("www-authenticate")).toBe('Basic realm="x"');
  });

  it.each<[string, unknown, string]>([
    ["a line break, which would begin a header of its own", "Bearer\r\nset-cookie: a=1", "Bearer"],
    ["letters that no header takes", 'Bearer realm="日本"', "Bearer"],
    ["what is no text", 7, "Bearer"],
    ["a tab", "Basic\trealm", "Basic\trealm"],
  ])("may be given %s as a challenge: what cannot stand in a header is left out", async (_, challenge, expected) => {
    const reply = await ask(() => ({ status: 401, challenge, detail: 10n }) as never);
    expect(reply).toMatchObject({ status: 401, body: { detail: "Say who you are." } });
    expect(reply.headers.get("www-authenticate")).toBe(expected);
    expect(reply.headers.has("set-cookie")).toBe(false);
  });

  it("hears whether something will change, for every endpoint but OPTIONS", async () => {
    const heard: string[] = [];
    const authorize: Authorize = ({ method }, { operation }) => (heard.push(`${method} ${operation}`), { status: 403 });
    const [id] = world.ids;
    const paths = { GET: "/api/openapi.json", HEAD: "/api/graph/hypergraph", OPTIONS: "/api/capabilities" };
    for (const [method, path] of Object.entries(paths)) await ask(authorize, method, path);
    await ask(authorize, "POST", `/api/capabilities/${id}/dependencies`);
    await ask(authorize, "DELETE", `/api/capabilities/${id}/dependencies/${id}`);
    expect(heard).toEqual(["GET read", "HEAD read", "POST write", "DELETE write"]);
  });

  it("decides whose memory is seen and changed: nothing crosses from one project to another", async () => {
    const theirs = world.store.withScope(scopeOf("theirs"));
    const ids = [await addCapability(theirs, "one"), await addCapability(theirs, "two")];
    const handle = createHttpHandler(world, { authorize: byHeader });
    const as = (project: string, method: string, path: string, body?: unknown): ReturnType<typeof send> =>
      send(handle, { method, path, body, headers: { "x-project": project } });
    const [path, edge] = [
      `/api/capabilities/${ids[0]}/dependencies`,
      { to_capability_id: ids[1], edge_type: "sequence" },
    ];

    expect((await as("ours", "POST", path, edge)).status).toBe(404);
    expect((await as("theirs", "POST", path, edge)).status).toBe(201);
    expect(await as("ours", "GET", path)).toMatchObject({ status: 404 });
    expect(await as("ours", "DELETE", `${path}/${ids[1]}`)).toMatchObject({ status: 404 });
    expect(await as("ours", "GET", "/api/capabilities")).toMatchObject({ body: { total: 0 } });
    expect(await as("ours", "GET", "/api/graph/hypergraph")).toMatchObject({ body: { nodes: [], edges: [] } });
    expect(await as("theirs", "GET", "/api/capabilities")).toMatchObject({ body: { total: 2 } });
    expect(await as("theirs", "DELETE", `${path}/${ids[1]}`)).toMatchObject({ status: 204 });
  });
});
