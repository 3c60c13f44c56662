import { mergeTypes, typeOfValue } from "@pml/graph";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { type SeenType, tellType } from "./told-type.js";

const seen = (...values: unknown[]): SeenType[] => values.map((value) => [typeOfValue(value), 1]);
const tell = (types: SeenType[]): object => tellType(types, { byStrangers: false });
const often = (value: unknown, times = 12): unknown[] => Array.from({ length: times }, () => value);

describe("what is told of results", () => {
  it.each<[string, unknown[], object]>([
    ["the kind that all had", [1, 2], { type: "integer" }],
    ["numbers, where some were whole", [1, 2.5], { type: "number" }],
    ["both kinds", [1, "x"], { anyOf: [{ type: "integer" }, { type: "string" }] }],
    ["no kind that hardly any had", [...often("x"), 7], { type: "string" }],
    ["nothing of what has no kind", [undefined, undefined], {}],
    ["items", [["a"], []], { type: "array", items: { type: "string" } }],
    [
      "a field that two had, and which had it not",
      [{ a: 1 }, { a: 1 }, {}],
      { type: "object", properties: { a: { type: "integer" } }, required: [] },
    ],
    ["no field that one alone had", [{ a: 1 }], { type: "object", properties: {}, required: [] }],
    ["no name that is none", [{ "a b": 1 }, { "a b": 1 }], { type: "object", properties: {}, required: [] }],
    ["no name that is long", often({ [`a${"b".repeat(40)}`]: 1 }), { type: "object", properties: {}, required: [] }],
    [
      "what is always there, although one had it not",
      [...often({ a: 1 }), {}],
      { type: "object", properties: { a: { type: "integer" } }, required: ["a"] },
    ],
  ])("is %s", (_, values, schema) => {
    expect(tell(seen(...values))).toEqual(schema);
  });

  it("is, of what strangers write, what code has read", () => {
    const type = typeOfValue({ read: 1, other: 2 });
    if (type.kind !== "object") throw new Error("It is an object.");
    const fields = type.fields.map((field) => (field.name === "read" ? { ...field, used: true as const } : field));
    expect(tellType([[{ ...type, fields }, 9]], { byStrangers: true })).toMatchObject({
      properties: { read: { type: "integer" } },
      required: ["read"],
    });
  });

  it("does not depend on one result among many", () => {
    const common = often({ title: "x", more: [{ id: 1 }] }, 30);
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (odd) => {
        expect(tell(seen(...common, odd))).toEqual(tell(seen(...common)));
      }),
    );
  });

  it("never throws, whatever was seen, in one run or in many", () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue({ maxDepth: 5 }), { minLength: 1 }), (values) => {
        const types = values.map((value) => typeOfValue(value));
        expect(tell(seen(...values))).toBeTypeOf("object");
        expect(tell([[types.reduce(mergeTypes), 1]])).toBeTypeOf("object");
      }),
    );
  });
});
