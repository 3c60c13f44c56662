import { StaticStructureBuilder } from "@pml/analyzer";
import { describe, expect, it } from "vitest";

import { type PipelineStep, writePipeline } from "./pipeline-code.js";

const text = { type: "string" };

function step(name: string, properties: object, given: { required?: string[]; output?: object } = {}): PipelineStep {
  const { required = Object.keys(properties), output } = given;
  const parameters = { type: "object", properties, required } as PipelineStep["parameters"];
  return { call: name, name, parameters, output: output as PipelineStep["output"] };
}

const READ = step("fs:read_json", { path: text }, { output: { type: "object", properties: { content: text } } });

describe("the code of a pipeline", () => {
  it.each<[string, PipelineStep[], string[]]>([
    [
      "takes a field by its name",
      [READ, step("x:use_it", { content: text })],
      [
        "const { path } = args;",
        'const step1 = await capabilities["fs:read_json"]({ path });',
        'return await capabilities["x:use_it"]({ content: step1.content });',
      ],
    ],
    [
      "takes a field that means the same",
      [READ, step("transform:parse_json", { json: text })],
      [
        "const { path } = args;",
        'const step1 = await capabilities["fs:read_json"]({ path });',
        'return await capabilities["transform:parse_json"]({ json: step1.content });',
      ],
    ],
    [
      "takes the whole result where nothing of it fits",
      [
        step("api:fetch_user", { id: { type: "integer" } }, { output: { type: "string" } }),
        step("x:use_it", { what: text }),
      ],
      [
        "const { id } = args;",
        'const step1 = await capabilities["api:fetch_user"]({ id });',
        'return await capabilities["x:use_it"]({ what: step1 });',
      ],
    ],
    [
      "never lets two steps share an input, and keeps their defaults",
      [
        READ,
        step("fs:write_json", { path: { ...text, default: "out.json" }, content: text }, { required: ["content"] }),
      ],
      [
        'const { path, write_json_path = "out.json" } = args;',
        'const step1 = await capabilities["fs:read_json"]({ path });',
        'return await capabilities["fs:write_json"]({ path: write_json_path, content: step1.content });',
      ],
    ],
    [
      "reaches back to an earlier step",
      [
        READ,
        step("x:note_it", { line: { type: "integer" } }, { output: { type: "boolean" } }),
        step("x:use_it", { content: text }),
      ],
      [
        "const { path, line } = args;",
        'const step1 = await capabilities["fs:read_json"]({ path });',
        'const step2 = await capabilities["x:note_it"]({ line });',
        'return await capabilities["x:use_it"]({ content: step1.content });',
      ],
    ],
    [
      "quotes what is no identifier, and renames what means something else",
      [step("a:b_c", { "content-type": text, class: text, step1: text }), step("a:d_e", {}, { output: {} })],
      [
        'const { "content-type": input1, class: input2, step1: input3 } = args;',
        'const step1 = await capabilities["a:b_c"]({ "content-type": input1, class: input2, step1: input3 });',
        'return await capabilities["a:d_e"]({});',
      ],
    ],
  ])("%s", (_, steps, lines) => {
    const code = writePipeline(steps);
    expect(code.split("\n")).toEqual(lines);
    const { permissions } = new StaticStructureBuilder().build(code);
    expect(permissions.capabilities).toEqual(steps.map(({ call }) => call).sort());
  });
});
