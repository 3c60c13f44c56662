import { EDGE_TYPE, HYPERGRAPH, list, object, PAGE, QUERY, reference, SCHEMAS, UUID } from "./schemas.js";

type Json = Readonly<Record<string, unknown>>;

/** What the handler answers, as OpenAPI 3.1; for a handler below another path than `/api`, pass that. */
export function buildOpenApi(basePath = "/api"): Json {
  return {
    openapi: "3.1.0",
    info: {
      title: "PML",
      version: "1",
      description: "Capabilities of a memory, how they depend on each other, and the graph they stand in.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: basePath === "" ? "/" : basePath }],
    paths: PATHS,
    components: {
      schemas: SCHEMAS,
      securitySchemes: { host: { type: "http", scheme: "bearer", description: "Whatever the host asks for." } },
    },
    security: [{ host: [] }, {}],
  };
}

const query = (name: string, schema: Json, description: string): Json => ({ name, in: "query", schema, description });
const path = (name: string): Json => ({ name, in: "path", required: true, schema: UUID });
const json = (description: string, schema: Json): Json => ({
  description,
  content: { "application/json": { schema } },
});
const problem = (description: string): Json => ({
  description,
  content: { "application/problem+json": { schema: reference("Problem") } },
});

/** What any of them may answer, beside its own. */
const ALWAYS = {
  "401": problem("Who asks is not known."),
  "403": problem("Who asks may not do this."),
  "422": problem("A parameter or a field is not what it can be."),
  "500": problem("Something went wrong here."),
  "503": problem("The memory cannot be reached."),
};

const PATHS: Json = {
  "/capabilities": {
    get: {
      operationId: "listCapabilities",
      summary: "What the memory can do",
      parameters: [
        query("namespace", QUERY.text, "Only names that begin with this and a colon."),
        query("named_only", QUERY.flag, "Leave out what has no name."),
        query("status", QUERY.status, "Only those of this status."),
        query("min_usage", QUERY.count, "Used at least so often."),
        query("min_success_rate", QUERY.share, "Used, and at least so reliable."),
        query("all_versions", QUERY.flag, "Show also versions that a name no longer stands for."),
        query("sort", { enum: ["name", "usage", "recent"], default: "usage" }, "In which order."),
        query("limit", { ...QUERY.count, default: 50 }, "At most so many, and never more than 200."),
        query("offset", { ...QUERY.count, default: 0 }, "Leave out so many; `next_offset` of the page before."),
      ],
      responses: { "200": json("A page of them.", PAGE), ...ALWAYS },
    },
  },
  "/capabilities/{id}/dependencies": {
    parameters: [path("id")],
    get: {
      operationId: "listDependencies",
      summary: "What a capability depends on, and what depends on it",
      parameters: [query("direction", { enum: ["from", "to", "both"], default: "both" }, "As seen from it.")],
      responses: {
        "200": json(
          "All of them, surest first.",
          object({ capability_id: UUID, dependencies: list(reference("Dependency")), total: QUERY.count }),
        ),
        "404": problem("There is no such capability here."),
        ...ALWAYS,
      },
    },
    post: {
      operationId: "createDependency",
      summary: "Let a capability depend on another",
      requestBody: { required: true, content: { "application/json": { schema: reference("NewDependency") } } },
      responses: {
        "201": json("It was created.", object({ created: { const: true }, dependency: reference("Dependency") })),
        "400": problem("The body is not JSON."),
        "404": problem("One of the two is not there."),
        "409": problem("There is one of this type between the two already."),
        "413": problem("The body is too large."),
        "415": problem("The body is not called JSON."),
        ...ALWAYS,
      },
    },
  },
  "/capabilities/{id}/dependencies/{to}": {
    parameters: [path("id"), path("to")],
    delete: {
      operationId: "removeDependency",
      summary: "Let a capability no longer depend on another",
      parameters: [query("edge_type", EDGE_TYPE, "Only the edge of this type; else all between the two.")],
      responses: { "204": { description: "It is gone." }, "404": problem("There is none."), ...ALWAYS },
    },
  },
  "/graph/hypergraph": {
    get: {
      operationId: "showHypergraph",
      summary: "Tools and capabilities, and what joins them",
      parameters: [
        query("min_confidence", { ...QUERY.share, default: 0 }, "Leave out edges that are less sure."),
        query("limit", { ...QUERY.count, default: 1000 }, "At most so many capabilities, and never more than 10 000."),
      ],
      responses: { "200": json("The graph.", HYPERGRAPH), ...ALWAYS },
    },
  },
  "/openapi.json": {
    get: {
      operationId: "describe",
      summary: "This description",
      responses: { "200": json("OpenAPI 3.1.", { type: "object" }), ...ALWAYS },
    },
  },
};
