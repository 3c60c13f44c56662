import { renameCalls } from "@pml/analyzer";

import { FIRST_RESULT, type Substitute } from "./find-substitutes.js";
import type { FieldPair } from "./map-tool.js";

/** Code in which a local function stands for each tool that is replaced, and calls what is there instead. */
export function writeRepair(
  code: string,
  { substitutes, defaults }: { substitutes: readonly Substitute[]; defaults: Readonly<Record<string, unknown>> },
): string {
  const taken = { code };
  const functions = new Map(substitutes.map(({ replaces }) => [replaces, newName(replaces, taken)]));
  const inputs = new Map(Object.keys(defaults).map((name) => [name, newName(name, taken)]));
  const written = [
    ...writeDefaults(defaults, inputs),
    ...substitutes.map((each) => writeFunction(functions.get(each.replaces) ?? "", each)),
    renameCalls(code, { tools: functions, inputs }),
  ];
  return written.join("\n");
}

/** The same code with functions that call nothing: which tools it still calls is what was not found. */
export function writeWithout(code: string, tools: readonly string[]): string {
  const functions = new Map(tools.map((tool) => [tool, newName(tool, { code })]));
  const stubs = [...functions.values()].map((name) => `const ${name} = async (given) => given;`);
  return [...stubs, renameCalls(code, { tools: functions })].join("\n");
}

function writeDefaults(defaults: Readonly<Record<string, unknown>>, inputs: ReadonlyMap<string, string>): string[] {
  if (inputs.size === 0) return [];
  const parts = [...inputs].map(([name, local]) => `${nameField(name)}: ${local} = ${JSON.stringify(defaults[name])}`);
  return [`const { ${parts.join(", ")} } = args;`];
}

function writeFunction(name: string, { steps, outputs }: Substitute): string {
  const [first, second] = steps.map(({ tool }) => writeTool(tool));
  const [given, fed] = steps.map(({ inputs }) => writeInput(inputs));
  const last = second === undefined ? "first" : "second";
  const result =
    outputs === "whole" ? last : writeFields(outputs.map((pair) => [pair.to, last + access(pair.from.split("."))]));
  return [
    `const ${name} = async (given = {}) => {`,
    `  const first = await ${first}(${given});`,
    ...(second === undefined ? [] : [`  const second = await ${second}(${fed});`]),
    `  return ${result};`,
    `};`,
  ].join("\n");
}

function writeTool(id: string): string {
  const at = id.indexOf(":");
  return `mcp${access([id.slice(0, at), id.slice(at + 1)])}`;
}

function writeInput(inputs: readonly FieldPair[]): string {
  return writeFields(
    inputs.map(({ from, to }) => [
      to,
      from.startsWith(FIRST_RESULT)
        ? `first${access(from.slice(FIRST_RESULT.length).split("."))}`
        : `given${access([from])}`,
    ]),
  );
}

function writeFields(fields: readonly (readonly [string, string])[]): string {
  return fields.length === 0 ? "{}" : `{ ${fields.map(([name, value]) => `${nameField(name)}: ${value}`).join(", ")} }`;
}

const NAME = /^[A-Za-z_$][\w$]*$/;

function access(path: readonly string[]): string {
  return path.map((part) => (NAME.test(part) ? `.${part}` : `[${JSON.stringify(part)}]`)).join("");
}

/** As JSON where it is none: names come from tools, and `__proto__` in an object written out would be no field. */
function nameField(name: string): string {
  if (name === "__proto__") return `["__proto__"]`;
  return NAME.test(name) ? name : JSON.stringify(name);
}

/** A name that stands nowhere in the code. */
function newName(wish: string, taken: { code: string }): string {
  const base = `old_${wish.replace(/\W+/g, "_").slice(0, 40)}`;
  let name = base;
  for (let number = 2; taken.code.includes(name); number++) name = `${base}_${number}`;
  taken.code += ` ${name}`;
  return name;
}
