import { randomUUID } from "node:crypto";

import { createHttpHandler, type HttpOptions } from "@pml/http";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { createWorld, readReply, send, type World } from "./world.js";

let world: World;
let [from, to] = ["", ""];
beforeAll(async () => {
  world = await createWorld({ maxBodyBytes: 1000 });
  [from = "", to = ""] = world.ids;
});
afterAll(() => world.close());

const here = (): string => `/api/capabilities/${from}/dependencies`;
const edge = (given: object = {}): object => ({ to_capability_id: to, edge_type: "sequence", ...given });

describe("a refusal", () => {
  it.each<[string, () => [method: string, path: string, body?: unknown], number, string]>([
    ["a path there is not", () => ["GET", "/api/nothing"], 404, "HTTP_NOT_FOUND"],
    ["a path above its own", () => ["GET", "/"], 404, "HTTP_NOT_FOUND"],
    ["a path that goes on", () => ["GET", "/api/capabilities/"], 404, "HTTP_NOT_FOUND"],
    ["an id of nothing", () => ["GET", `/api/capabilities/${randomUUID()}/dependencies`], 404, "PML_NOT_FOUND"],
    [
      "an end that is not there",
      () => ["POST", here(), edge({ to_capability_id: randomUUID() })],
      404,
      "PML_NOT_FOUND",
    ],
    ["an edge that is not there", () => ["DELETE", `${here()}/${to}`], 404, "PML_NOT_FOUND"],
    ["itself", () => ["POST", here(), edge({ to_capability_id: from })], 422, "PML_INVALID_INPUT"],
    [
      "an id in the body that is none",
      () => ["POST", here(), edge({ to_capability_id: "x" })],
      422,
      "PML_INVALID_INPUT",
    ],
    ["an id that is no text", () => ["POST", here(), edge({ to_capability_id: [to] })], 422, "HTTP_INVALID_BODY"],
    ["no type", () => ["POST", here(), { to_capability_id: to }], 422, "HTTP_INVALID_BODY"],
    ["a type there is not", () => ["POST", here(), edge({ edge_type: "friend" })], 422, "PML_INVALID_INPUT"],
    ["a source there is not", () => ["POST", here(), edge({ edge_source: "a guess" })], 422, "PML_INVALID_INPUT"],
    [
      "a source that is no text",
      () => ["POST", here(), edge({ edge_source: { toString: 1 } })],
      422,
      "HTTP_INVALID_BODY",
    ],
    ["a field there is not", () => ["POST", here(), edge({ edgeType: "sequence" })], 422, "HTTP_INVALID_BODY"],
    ["a __proto__", () => ["POST", here(), '{"__proto__":{"edge_type":"sequence"}}'], 422, "HTTP_INVALID_BODY"],
    ["an array", () => ["POST", here(), "[]"], 422, "HTTP_INVALID_BODY"],
    ["null", () => ["POST", here(), "null"], 422, "HTTP_INVALID_BODY"],
    ["no JSON", () => ["POST", here(), "{to: 1}"], 400, "HTTP_MALFORMED_JSON"],
    ["half of JSON", () => ["POST", here(), '{"to_capability_id": "'], 400, "HTTP_MALFORMED_JSON"],
    ["an empty body", () => ["POST", here(), ""], 400, "HTTP_MALFORMED_JSON"],
    ["deep JSON", () => ["POST", here(), "[".repeat(900)], 400, "HTTP_MALFORMED_JSON"],
    ["too large a body", () => ["POST", here(), " ".repeat(1001)], 413, "HTTP_BODY_TOO_LARGE"],
    ["a direction there is not", () => ["GET", `${here()}?direction=up`], 422, "HTTP_INVALID_QUERY"],
    ["a parameter there is not", () => ["GET", "/api/capabilities?limits=3"], 422, "HTTP_INVALID_QUERY"],
    ["a parameter of every object", () => ["GET", "/api/capabilities?constructor=3"], 422, "HTTP_INVALID_QUERY"],
    ["a parameter given twice", () => ["GET", "/api/capabilities?limit=3&limit=4"], 422, "HTTP_INVALID_QUERY"],
    ["a limit below nothing", () => ["GET", "/api/capabilities?limit=-1"], 422, "HTTP_INVALID_QUERY"],
    ["a limit that is no number", () => ["GET", "/api/capabilities?limit=1e3"], 422, "HTTP_INVALID_QUERY"],
    ["a share above 1", () => ["GET", "/api/graph/hypergraph?min_confidence=1.1"], 422, "HTTP_INVALID_QUERY"],
    ["a flag of every object", () => ["GET", "/api/capabilities?named_only=toString"], 422, "HTTP_INVALID_QUERY"],
    ["a NUL", () => ["GET", "/api/capabilities?namespace=a%00b"], 422, "PML_INVALID_INPUT"],
    ["another method", () => ["PUT", here(), "{}"], 405, "HTTP_METHOD_NOT_ALLOWED"],
    ["a method of every object", () => ["TOSTRING", "/api/capabilities"], 405, "HTTP_METHOD_NOT_ALLOWED"],
  ])("of %s is a problem that says what and why", async (_, request, status, code) => {
    const { headers, ...reply } = await world.ask(...request());
    expect(reply).toMatchObject({ status, body: { type: "about:blank", status, code } });
    expect(Object.keys(reply.body as object).sort()).toEqual(["code", "detail", "status", "title", "type"]);
    expect(headers.get("content-type")).toBe("application/problem+json; charset=utf-8");
    expect(headers.get("cache-control")).toBe("no-store");
  });

  it.each(["text/plain", "application/x-www-form-urlencoded", "", "application/jsonp"])(
    "of a body that is called %j is 415",
    async (type) => {
      const headers = { "content-type": type };
      const reply = await send(world.handle, { method: "POST", path: here(), body: edge(), headers });
      expect(reply).toMatchObject({ status: 415, body: { code: "HTTP_UNSUPPORTED_MEDIA_TYPE" } });
    },
  );

  it("of a body that goes on and on comes before its end", async () => {
    let sent = 0;
    const endless = new ReadableStream({
      pull: (controller) => (sent++, controller.enqueue(new Uint8Array(100).fill(32))),
    });
    const init = { method: "POST", body: endless, duplex: "half", headers: { "content-type": "application/json" } };
    const reply = await readReply(await world.handle(new Request(`http://memory.test${here()}`, init as RequestInit)));
    expect(reply.status).toBe(413);
    expect(sent).toBeLessThan(20);
  });

  it("of bytes that are no text is 400", async () => {
    const init = {
      method: "POST",
      body: new Uint8Array([0xff, 0xfe]),
      headers: { "content-type": "application/json" },
    };
    expect((await world.handle(new Request(`http://memory.test${here()}`, init))).status).toBe(400);
  });

  it("never comes as an exception, nor as a 500, whatever the id", async () => {
    const ids = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom("%", "%00", "..%2f..", "' or 1=1 --", "%C0%AF"),
    );
    await fc.assert(
      fc.asyncProperty(ids, fc.boolean(), async (id, encode) => {
        const part = encode ? encodeURIComponent(id) : id.replaceAll(/[/?#\\]/g, "");
        const { status } = await world.ask("GET", `/api/capabilities/${part}/dependencies`);
        expect(status).toBe(404);
      }),
      { numRuns: 100 },
    );
  });
});

describe("methods", () => {
  it("HEAD is GET without its body", async () => {
    const [got, head] = [await world.ask("GET", "/api/capabilities"), await world.ask("HEAD", "/api/capabilities")];
    expect(head).toMatchObject({ status: 200, body: undefined });
    expect(head.headers.get("content-type")).toBe(got.headers.get("content-type"));
    expect(await world.ask("HEAD", "/api/nothing")).toMatchObject({ status: 404, body: undefined });
  });

  it.each([
    ["/api/capabilities", "GET, HEAD, OPTIONS"],
    [`/api/capabilities/${randomUUID()}/dependencies`, "GET, HEAD, OPTIONS, POST"],
    [`/api/capabilities/${randomUUID()}/dependencies/${randomUUID()}`, "DELETE, OPTIONS"],
  ])("OPTIONS of %s says which there are", async (path, allow) => {
    const options = await world.ask("OPTIONS", path);
    expect(options).toMatchObject({ status: 204, body: undefined });
    expect(options.headers.get("allow")).toBe(allow);
    expect((await world.ask("PATCH", path)).headers.get("allow")).toBe(allow);
  });
});

describe("what goes wrong inside", () => {
  it("is told to the host, and not to the client", async () => {
    const errors: unknown[] = [];
    const store = { withScope: () => ({ list: () => Promise.reject(new Error("password=hunter2")) }) };
    const options: HttpOptions = { authorize: "none", onError: (error) => errors.push(error) };
    const handle = createHttpHandler({ store: store as never }, options);
    const reply = await send(handle, { method: "GET", path: "/api/capabilities" });
    expect(reply).toMatchObject({ status: 500, body: { code: "HTTP_INTERNAL" } });
    expect(JSON.stringify(reply.body)).not.toContain("hunter2");
    expect(errors).toMatchObject([{ message: "password=hunter2" }]);
  });

  it.each([null, undefined, "text", { code: "constructor" }, { code: "__proto__" }])(
    "is a 500 also when %j is thrown, and when telling the host throws too",
    async (thrown) => {
      const authorize = (): Promise<never> => Promise.reject(thrown as unknown as Error);
      const handle = createHttpHandler(world, { authorize, onError: raise });
      const reply = await send(handle, { method: "GET", path: "/api/capabilities" });
      expect(reply).toMatchObject({ status: 500, body: { code: "HTTP_INTERNAL" } });
    },
  );

  it("is 503 once the memory is closed", async () => {
    const closed = await createWorld();
    await closed.close();
    expect(await closed.ask("GET", "/api/capabilities")).toMatchObject({ status: 503, body: { code: "PML_CLOSED" } });
  });
});

function raise(): never {
  throw new Error("no log today");
}
