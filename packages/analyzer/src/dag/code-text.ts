import { access, isName } from "../spelling.js";
import type { Path } from "../structure.js";
import { replaceNames } from "./close-expression.js";
import { type DagParam, type DagTask, type DagValue, isFrom, isLiteral, isObject, isParam } from "./dag.js";

/** How the result of a task is written where it is used. */
export type ResultText = (id: string) => string;

/** A tool or capability with its input. */
export function callText(task: DagTask, result: ResultText): string {
  const input = valueText(task.arguments, (id) => (id === task.id ? "item" : result(id)));
  if (task.type === "capability") return `capabilities[${JSON.stringify(task.tool)}](${input})`;
  const colon = task.tool.indexOf(":");
  return `mcp${access(task.tool.slice(0, colon))}${access(task.tool.slice(colon + 1))}(${input})`;
}

/** A computation, with what its names stand for in their place. */
export function expressionText({ code = "", arguments: names }: DagTask, result: ResultText): string {
  const textOf = (name: string): string | undefined => {
    if (!Object.hasOwn(names, name)) return undefined;
    const value = names[name] as DagValue;
    const text = valueText(value, result);
    // What follows must not be skipped with it.
    return (isFrom(value) || isParam(value)) && value.optional ? `(${text})` : text;
  };
  return replaceNames(code, textOf);
}

export function valueText(value: DagValue, result: ResultText): string {
  if (isFrom(value)) return result(value.$from) + pathText(value);
  if (isParam(value)) return inputText(value) + pathText(value);
  if (isLiteral(value)) return jsonText(value.$literal as DagValue);
  if (Array.isArray(value)) return `[${value.map((item) => valueText(item, result)).join(", ")}]`;
  return isObject(value) ? objectText(value, (field) => valueText(field, result)) : JSON.stringify(value);
}

/** An input that has a default is taken apart from the others, at the top. */
function inputText({ $param, default: preset }: DagParam): string {
  return preset === undefined ? `args${access($param)}` : `given${isName($param) ? `_${$param}` : `_${hex($param)}`}`;
}

/** `const { limit: given_limit = 5 } = args;` */
export function defaultText(param: DagParam): string {
  return `const { ${key(param.$param)}: ${inputText(param)} = ${jsonText(param.default as DagValue)} } = args;`;
}

function hex(text: string): string {
  return [...text].map((character) => character.codePointAt(0)?.toString(16)).join("_");
}

function jsonText(value: DagValue): string {
  if (Array.isArray(value)) return `[${value.map(jsonText).join(", ")}]`;
  return isObject(value) ? objectText(value, jsonText) : JSON.stringify(value);
}

function objectText(value: Readonly<Record<string, DagValue>>, textOf: (field: DagValue) => string): string {
  const fields = Object.entries(value).map(([name, field]) => `${key(name)}: ${textOf(field)}`);
  return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`;
}

function pathText({ path = [], optional }: { readonly path?: Path; readonly optional?: true }): string {
  const steps = path.map((part) => (typeof part === "number" ? `[${part}]` : access(part)));
  return steps.map((step) => (optional ? `?.${step.replace(/^\./, "")}` : step)).join("");
}

/** `{ __proto__: … }` would set the prototype. */
function key(name: string): string {
  if (name === "__proto__") return `["__proto__"]`;
  return isName(name) ? name : JSON.stringify(name);
}
