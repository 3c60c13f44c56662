import { defineTool, type Tool } from "@pml/core";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type as ark } from "arktype";
import * as v from "valibot";
import { describe, expect, expectTypeOf, it } from "vitest";
import * as z from "zod";

import { usePml } from "./pml-world.js";

const { open } = usePml();
const context = { signal: new AbortController().signal };

const withZod = defineTool({
  id: "geo:find",
  description: "Find a place",
  input: z.object({ name: z.string().min(2), limit: z.number().int().default(3) }),
  output: z.object({ places: z.array(z.string()) }),
  annotations: { readOnlyHint: true },
  examples: [{ name: "Lyon" }],
  execute({ name, limit }) {
    expectTypeOf(name).toEqualTypeOf<string>();
    expectTypeOf(limit).toEqualTypeOf<number>();
    return { places: Array.from({ length: limit }, (_, at) => `${name} ${at}`) };
  },
});

const withValibot = defineTool({
  id: "geo:find",
  description: "Find a place",
  input: toStandardJsonSchema(
    v.object({ name: v.pipe(v.string(), v.minLength(2)), limit: v.optional(v.pipe(v.number(), v.integer()), 3) }),
  ),
  execute({ name, limit }) {
    expectTypeOf(name).toEqualTypeOf<string>();
    expectTypeOf(limit).toEqualTypeOf<number>();
    return { places: Array.from({ length: limit }, (_, at) => `${name} ${at}`) };
  },
});

const withArktype = defineTool({
  id: "geo:find",
  description: "Find a place",
  input: ark({ name: "string >= 2", limit: "number.integer = 3" }),
  execute({ name, limit }) {
    expectTypeOf(name).toEqualTypeOf<string>();
    expectTypeOf(limit).toEqualTypeOf<number>();
    return { places: Array.from({ length: limit }, (_, at) => `${name} ${at}`) };
  },
});

const withJsonSchema = defineTool({
  id: "geo:find",
  description: "Find a place",
  input: {
    type: "object",
    properties: { name: { type: "string", minLength: 2 }, limit: { type: "integer" } },
    required: ["name"],
  },
  execute(args) {
    expectTypeOf(args).toEqualTypeOf<Record<string, unknown>>();
    return { places: Array.from({ length: Number(args["limit"] ?? 3) }, (_, at) => `${String(args["name"])} ${at}`) };
  },
});

describe.each<[library: string, tool: Tool]>([
  ["zod", withZod],
  ["valibot", withValibot],
  ["arktype", withArktype],
  ["plain JSON Schema", withJsonSchema],
])("a tool defined with %s", (_, tool) => {
  it("has a JSON Schema for models to read", () => {
    expect(tool.inputSchema).toMatchObject({
      type: "object",
      properties: { name: { type: "string", minLength: 2 }, limit: { type: "integer" } },
      required: ["name"],
    });
  });

  it("gets its arguments checked, with defaults", async () => {
    const pml = await open({ tools: [tool] });
    const answer = await pml.execute({ intent: "find", code: `return mcp.geo.find({ name: "Lyon" })` });
    expect(answer).toMatchObject({ status: "success", result: { places: ["Lyon 0", "Lyon 1", "Lyon 2"] } });
  });

  it("refuses wrong ones by field, and does not count that against the capability", async () => {
    const pml = await open({ tools: [tool] });
    const answer = await pml.execute({ intent: "find", code: `return mcp.geo.find({ name: "L", limit: 1.5 })` });
    expect(answer).toMatchObject({
      status: "error",
      error: { details: { cause: { code: "PML_INVALID_ARGUMENTS", details: { tool: "geo:find" } } } },
    });
    const { error } = answer as unknown as {
      error: { details: { cause: { details: { problems: { field: string }[] } } } };
    };
    expect(error.details.cause.details.problems.map(({ field }) => field).sort()).toEqual(["limit", "name"]);
    const [capability] = await pml.store.list();
    expect(capability?.statistics.failureCount).toBe(0);
  });
});

describe("defineTool", () => {
  it("knows the types that callers see", () => {
    expectTypeOf(withZod.execute).parameter(0).toEqualTypeOf<{ name: string; limit?: number | undefined }>();
    expectTypeOf(withZod.execute).returns.resolves.toEqualTypeOf<{ places: string[] }>();
    expectTypeOf(withValibot.execute).parameter(0).toEqualTypeOf<{ name: string; limit?: number | undefined }>();
    expectTypeOf(withJsonSchema.execute).returns.resolves.toEqualTypeOf<unknown>();
    expectTypeOf(withZod).toExtend<Tool>();
    defineTool({
      id: "a:b",
      description: "",
      input: z.object({}),
      output: z.object({ n: z.number() }),
      // @ts-expect-error: the result is not of its schema
      execute: () => ({ n: "1" }),
    });
    const input = z.object({ n: z.number() });
    // @ts-expect-error: nor is the example of its schema
    const examples: Parameters<typeof defineTool<typeof input>>[0]["examples"] = [{ n: "1" }];
    expect(examples).toHaveLength(1);
  });

  it("checks and transforms what is returned, and says when it is wrong", async () => {
    const tool = defineTool({
      id: "clock:now",
      description: "The time",
      input: z.object({ bad: z.boolean().optional() }),
      output: z.object({ at: z.string().transform((text) => text.length) }),
      outputSchema: { type: "object", properties: { at: { type: "number" } } },
      execute: ({ bad }) => (bad === true ? ({} as { at: string }) : { at: "12:00" }),
    });
    expect(await tool.execute({}, context)).toEqual({ at: 5 });
    await expect(tool.execute({ bad: true }, context)).rejects.toMatchObject({
      code: "PML_INVALID_RESULT",
      details: { problems: [{ field: "at" }] },
    });
  });

  it("takes validation that waits, and a schema that says no by itself", async () => {
    const even = z.object({ n: z.number() }).refine(async ({ n }) => n % 2 === 0, "is odd");
    const tool = defineTool({ id: "math:half", description: "Halve", input: even, execute: ({ n }) => n / 2 });
    expect(await tool.execute({ n: 4 }, context)).toBe(2);
    await expect(tool.execute({ n: 3 }, context)).rejects.toThrow("is odd");
  });

  it("carries marks for secrets into the JSON Schema", () => {
    const input = z.object({
      pin: z.string().meta({ "x-secret": true }),
      word: z.string().meta({ format: "password" }),
    });
    const { inputSchema } = defineTool({ id: "a:b", description: "", input, execute: () => 1 });
    expect(inputSchema).toMatchObject({ properties: { pin: { "x-secret": true }, word: { format: "password" } } });
  });

  it.each([
    ["has no JSON Schema", v.object({ n: v.number() })],
    ["cannot be written as one", z.object({ at: z.date() })],
  ])("asks for a JSON Schema where the library %s", (_, input) => {
    const rest = { id: "a:b", description: "", execute: () => 1 };
    expect(() => defineTool({ ...rest, input })).toThrow(/Give the tool an inputSchema/);
    expect(defineTool({ ...rest, input, inputSchema: { type: "object" } }).inputSchema).toEqual({ type: "object" });
  });

  it("refuses an id that is none", () => {
    expect(() => defineTool({ id: "x", description: "", input: {}, execute: () => 1 })).toThrow(/server:name/);
  });
});
