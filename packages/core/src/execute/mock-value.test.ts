import addFormats from "ajv-formats";
import { Ajv2020 } from "ajv/dist/2020.js";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { mockValue } from "./mock-value.js";

const ajv = new Ajv2020({ strict: false });
(addFormats as unknown as (ajv: Ajv2020) => void)(ajv);

const tree = {
  $defs: {
    node: {
      type: "object",
      properties: { name: { type: "string" }, child: { $ref: "#/$defs/node" } },
      required: ["name"],
    },
  },
  $ref: "#/$defs/node",
};

describe("a mock", () => {
  it.each([
    ["a const", { const: 7 }],
    ["an enum", { enum: ["x", "y"] }],
    ["a default", { type: "string", default: "z" }],
    ["an example", { type: "string", examples: ["e"] }],
    ["a text of some length", { type: "string", minLength: 12 }],
    ["an address", { type: "string", format: "email" }],
    ["a date", { type: "string", format: "date-time" }],
    ["a UUID", { type: "string", format: "uuid" }],
    ["a whole number with a least value", { type: "integer", minimum: 2.5 }],
    ["a number above another", { type: "number", exclusiveMinimum: 3 }],
    ["a number below one", { type: "number", maximum: 0.5 }],
    ["several types, null first", { type: ["null", "boolean"] }],
    [
      "one of several",
      {
        anyOf: [{ type: "null" }, { type: "object", properties: { a: { type: "array", items: { type: "integer" } } } }],
      },
    ],
    [
      "all of several",
      {
        allOf: [
          { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
          { properties: { b: { type: "number" } }, required: ["b"] },
        ],
      },
    ],
    ["a list of three", { type: "array", items: { type: "boolean" }, minItems: 3 }],
    ["a schema that refers to itself", tree],
    ["a field that nothing is said of", { type: "object", properties: { a: {} }, required: ["a", "b"] }],
  ])("fits its schema: %s", (_, schema) => {
    for (const sparse of [false, true]) {
      const value = mockValue(schema, { sparse });
      expect(ajv.validate(schema, value), JSON.stringify(value)).toBe(true);
      expect(mockValue(schema, { sparse })).toEqual(value);
    }
  });

  it("is made of any value that calls itself a schema", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (schema) => {
        expect(() => mockValue(schema)).not.toThrow();
      }),
    );
  });

  it("is as small as can be when sparse", () => {
    const schema = {
      type: "object",
      properties: {
        items: { type: "array", items: { type: "string" } },
        next: { type: "string" },
        more: { type: "boolean" },
      },
      required: ["items", "more"],
    };
    expect(mockValue(schema)).toEqual({ items: ["1"], next: "1", more: true });
    expect(mockValue(schema, { sparse: true })).toEqual({ items: [], more: false });
  });
});
