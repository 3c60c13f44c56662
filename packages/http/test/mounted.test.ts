import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { createWorld, readReply, type World } from "./world.js";

type Fetch = (path: string, init?: RequestInit) => Promise<Response>;
type Mount = (world: World) => Promise<{ fetch: Fetch; close: () => Promise<void> }>;

const inHono: Mount = (world) => {
  const app = new Hono();
  app.get("/", (context) => context.text("the host's own"));
  app.all("/api/*", (context) => world.handle(context.req.raw));
  return Promise.resolve({ fetch: async (path, init) => app.request(path, init), close: () => Promise.resolve() });
};

const inHonoBelow: Mount = (world) => {
  const app = new Hono().mount("/memory", world.handle);
  const fetch: Fetch = async (path, init) => app.request(`/memory${path}`, init);
  return Promise.resolve({ fetch, close: () => Promise.resolve() });
};

const inNode: Mount = async (world) => {
  const server = createServer(getRequestListener(world.handle));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const home = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = (): Promise<void> =>
    new Promise((resolve) => (server.closeAllConnections(), server.close(() => resolve())));
  return { fetch: (path, init) => fetch(`${home}${path}`, init), close };
};

describe.each<[string, Mount]>([
  ["Hono", inHono],
  ["Hono, below a path", inHonoBelow],
  ["node:http", inNode],
])("mounted in %s", (_, mount) => {
  let world: World;
  let host: Awaited<ReturnType<Mount>>;
  beforeAll(async () => {
    world = await createWorld({ maxBodyBytes: 5000 });
    host = await mount(world);
  });
  afterAll(async () => {
    await host.close();
    await world.close();
  });

  it("creates, lists and removes a dependency", async () => {
    const [from, to] = world.ids;
    const path = `/api/capabilities/${from}/dependencies`;
    const created = await host.fetch(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ to_capability_id: to, edge_type: "dependency" }),
    });
    expect(created.status).toBe(201);
    expect(await readReply(await host.fetch(path))).toMatchObject({ status: 200, body: { total: 1 } });
    expect((await host.fetch(`${path}/${to}`, { method: "DELETE" })).status).toBe(204);
    expect(await readReply(await host.fetch("/api/capabilities"))).toMatchObject({ body: { total: 4 } });
  });

  it("refuses too large a body, and goes on", async () => {
    const init = { method: "POST", headers: { "content-type": "application/json" }, body: "x".repeat(6000) };
    expect((await host.fetch(`/api/capabilities/${world.ids[0]}/dependencies`, init)).status).toBe(413);
    expect((await host.fetch("/api/graph/hypergraph")).status).toBe(200);
    expect((await host.fetch("/api/openapi.json", { method: "HEAD" })).status).toBe(200);
  });
});
