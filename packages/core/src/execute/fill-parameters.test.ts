import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { fillParameters } from "./fill-parameters.js";

type Properties = Record<string, { type?: string | string[]; default?: unknown }>;

const fill = (
  properties: Properties,
  required: readonly string[],
  context: Record<string, unknown>,
): ReturnType<typeof fillParameters> =>
  fillParameters(
    { source: { type: "code", code: "" }, parameters: { properties, required, additionalProperties: false } },
    context,
  );
const [TEXT, COUNT] = [{ type: "string" }, { type: "integer" }];

describe("parameters are filled from a context", () => {
  it.each<[what: string, properties: Properties, required: string[], context: object, inputs: object]>([
    ["by name", { path: TEXT }, ["path"], { path: "a", other: "b" }, { path: "a" }],
    ["by names that share a word", { filePath: TEXT }, ["filePath"], { path: "a", n: 1 }, { filePath: "a" }],
    ["by the name before a likeness", { path: TEXT }, ["path"], { file_path: "b", path: "a" }, { path: "a" }],
    [
      "by type, where only one fits one",
      { path: TEXT, n: COUNT },
      ["path", "n"],
      { x: "a", y: 2 },
      { path: "a", n: 2 },
    ],
    ["with one of several types", { id: { type: ["string", "null"] } }, ["id"], { id: null }, { id: null }],
    ["and keep a default that nothing is meant for", { n: { ...COUNT, default: 5 } }, [], { path: "a" }, {}],
    ["and take nothing where there are none", {}, [], { path: "a" }, {}],
    ["without a type by anything", { any: {} }, ["any"], { any: [1] }, { any: [1] }],
  ])("%s", (_, properties, required, context, inputs) => {
    const filling = fill(properties, required, context as Record<string, unknown>);
    expect(filling.ok && filling.inputs).toEqual(inputs);
  });

  it.each<[what: string, properties: Properties, required: string[], context: object, missing: string[]]>([
    ["what is not there", { path: TEXT }, ["path"], {}, ["path"]],
    ["what has another type", { path: TEXT }, ["path"], { path: 5 }, ["path"]],
    ["what has another type, though it has a default", { n: { ...COUNT, default: 5 } }, [], { n: "ten" }, ["n"]],
    ["what two values could be", { path: TEXT }, ["path"], { x: "a", y: "b" }, ["path"]],
    ["what one value could be for two", { from: TEXT, to: TEXT }, ["from", "to"], { x: "a" }, ["from", "to"]],
    ["what only has the words in common", { path: TEXT }, ["path"], { file_path: 7 }, ["path"]],
    ["what an object inherits", { constructor: TEXT }, ["constructor"], {}, ["constructor"]],
  ])("and not with %s", (_, properties, required, context, missing) => {
    expect(fill(properties, required, context as Record<string, unknown>)).toEqual({ ok: false, missing });
  });

  it("never with a value twice, nor with one that is not there, nor with one of another type", () => {
    const names = fc.constantFrom("path", "file_path", "count", "row_count", "x", "y");
    const schemas = fc.dictionary(names, fc.constantFrom(TEXT, COUNT));
    const contexts = fc.dictionary(names, fc.oneof(fc.string(), fc.integer()));
    fc.assert(
      fc.property(schemas, contexts, (properties, given) => {
        // Each value is its own, so that it can be seen where it went.
        const context = Object.fromEntries(
          Object.entries(given).map(([name, value], at) => [name, typeof value === "string" ? `${value} ${at}` : at]),
        );
        const filling = fill(properties, Object.keys(properties), context);
        if (!filling.ok) return;
        const used = Object.entries(filling.inputs);
        expect(new Set(used.map(([, value]) => value)).size).toBe(used.length);
        for (const [name, value] of used) {
          expect(Object.values(context)).toContain(value);
          expect(typeof value).toBe(properties[name]?.type === "integer" ? "number" : "string");
        }
      }),
    );
  });
});
