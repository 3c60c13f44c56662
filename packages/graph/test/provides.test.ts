import { describe, expect, it } from "vitest";

import { computeCoverage, createProvidesEdges, type ToolSchemas } from "../src/index.js";

const text = { type: "string" };
const object = (properties: Record<string, unknown>, required = Object.keys(properties)): Record<string, unknown> => ({
  type: "object",
  properties,
  required,
});
const read: ToolSchemas = {
  id: "fs:read",
  inputSchema: object({ path: text }),
  outputSchema: object({ content: text }),
};
const parse: ToolSchemas = {
  id: "json:parse",
  inputSchema: object({ json: text }),
  outputSchema: object({ value: {} }),
};
const post: ToolSchemas = {
  id: "http:post",
  inputSchema: object({ url: text, body: {} }),
  outputSchema: object({ status: { type: "integer" } }),
};

describe("computeCoverage", () => {
  it("covers what is required although the names differ", () => {
    const coverage = computeCoverage(read, parse);
    expect(coverage?.coverage).toBe("strict");
    expect(coverage?.fieldMapping).toMatchObject([{ fromField: "content", toField: "json", typeCompatible: true }]);
    expect(coverage?.fieldMapping[0]?.reason).toContain("content");
  });

  it("covers a part where a part is missing", () => {
    const coverage = computeCoverage(parse, post);
    expect(coverage?.coverage).toBe("partial");
    expect(coverage?.fieldMapping).toMatchObject([{ fromField: "value", toField: "body" }]);
  });

  it("finds nothing where nothing fits", () => {
    expect(computeCoverage(post, read)).toBeUndefined();
  });

  it("says when only what is optional is covered", () => {
    const consumer = { id: "x:y", inputSchema: object({ city: text, movie_id: text }, ["city"]) };
    const provider = { id: "movie:find", outputSchema: object({ id: text }) };
    expect(computeCoverage(provider, consumer)?.coverage).toBe("optional");
  });
});

describe("createProvidesEdges", () => {
  it("finds the pairs that computeCoverage finds", () => {
    const edges = createProvidesEdges([read, parse, post]).map(({ from, to, coverage }) => [from, to, coverage]);
    expect(edges).toEqual(
      expect.arrayContaining([
        ["fs:read", "json:parse", "strict"],
        ["json:parse", "http:post", "partial"],
      ]),
    );
  });

  it("takes learned outputs where none are declared", () => {
    const { outputSchema, ...bare } = read;
    expect(createProvidesEdges([bare, parse])).toEqual([]);
    expect(
      createProvidesEdges([bare, parse], { findOutputSchema: (id) => (id === "fs:read" ? outputSchema : undefined) }),
    ).toHaveLength(1);
  });

  it("survives schemas that hold themselves and names of built-in properties", () => {
    const circular: Record<string, unknown> = { type: "object" };
    circular["properties"] = JSON.parse('{"__proto__": {"type": "string"}, "constructor": {"type": "string"}}');
    circular["items"] = circular;
    const tools = [
      { id: "__proto__", outputSchema: circular },
      { id: "constructor", inputSchema: circular },
    ];
    expect(createProvidesEdges(tools).map(({ from, to }) => [from, to])).toContainEqual(["__proto__", "constructor"]);
  });
});
