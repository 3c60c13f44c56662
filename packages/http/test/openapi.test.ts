import { buildOpenApi } from "@pml/http";
import { Validator } from "@seriousme/openapi-schema-validator";
import addFormats from "ajv-formats";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { createWorld, type World } from "./world.js";

interface Operation {
  responses: Record<string, { content?: Record<string, { schema: object }> }>;
}
type Description = { paths: Record<string, Record<string, Operation>>; components: object };

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const description = buildOpenApi() as unknown as Description;

/** Checks a body against what the description says of that answer. */
function validator(path: string, method: string, status: number): ValidateFunction {
  const content = Object.values(description.paths[path]?.[method]?.responses[status]?.content ?? {})[0];
  expect(content, `${method} ${path} describes ${status}`).toBeDefined();
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
  return ajv.compile({ ...content?.schema, components: description.components });
}

describe("/api/openapi.json", () => {
  it("is valid OpenAPI 3.1", async () => {
    const { status, body } = await world.ask("GET", "/api/openapi.json");
    expect(status).toBe(200);
    const checker = new Validator();
    expect(await checker.validate(structuredClone(body) as Record<string, unknown>)).toMatchObject({ valid: true });
    expect(checker.version).toBe("3.1");
    expect(body).toEqual(description);
  });

  it("names the path it is served under", async () => {
    const other = await createWorld({ basePath: "/memory/v1/" });
    const { body } = await other.ask("GET", "/memory/v1/openapi.json");
    expect(body).toMatchObject({ servers: [{ url: "/memory/v1" }] });
    expect((await other.ask("GET", "/api/openapi.json")).status).toBe(404);
    await other.close();
  });

  it("describes every path and method there is, and no other", async () => {
    for (const [path, operations] of Object.entries(description.paths)) {
      const allow = (await world.ask("OPTIONS", `/api${path}`)).headers.get("allow") ?? "";
      const described = Object.keys(operations).filter((key) => key !== "parameters");
      expect(allow.split(", ").filter((method) => !["HEAD", "OPTIONS"].includes(method))).toEqual(
        described.map((method) => method.toUpperCase()),
      );
    }
  });

  it("describes what is answered, to the last field", async () => {
    const [from, to] = world.ids;
    const one = "/capabilities/{id}/dependencies";
    const edge = { to_capability_id: to, edge_type: "sequence" };
    const asked: [described: string, method: string, path: string, status: number, body?: unknown][] = [
      [one, "post", `/capabilities/${from}/dependencies`, 201, edge],
      [one, "post", `/capabilities/${from}/dependencies`, 409, edge],
      [one, "post", `/capabilities/${from}/dependencies`, 400, "{"],
      [one, "get", `/capabilities/${from}/dependencies`, 200],
      [one, "get", "/capabilities/none/dependencies", 404],
      ["/capabilities", "get", "/capabilities", 200],
      ["/capabilities", "get", "/capabilities?limit=x", 422],
      ["/graph/hypergraph", "get", "/graph/hypergraph", 200],
    ];
    for (const [described, method, path, status, body] of asked) {
      const reply = await world.ask(method.toUpperCase(), `/api${path}`, body);
      expect(reply.status, path).toBe(status);
      const validate = validator(described, method, status);
      validate(reply.body);
      expect(validate.errors, `${method} ${path} ${status}`).toBeNull();
    }
  });
});
