import type { AnyNode } from "acorn";
import { full } from "acorn-walk";

import { INPUT_NAMES } from "../globals.js";
import { parse } from "../parse/parse.js";
import { readScopes } from "../parse/read-scopes.js";
import type { Scopes } from "../parse/scope.js";
import { stripTypes } from "../parse/strip-types.js";
import { Edits } from "./edits.js";

/** What stands for what from now on. */
export interface Renaming {
  /** Local functions, by the tool that is called no more: `server:name`. */
  readonly tools?: ReadonlyMap<string, string>;
  /** Local variables, by the input that is no longer read from `args`. */
  readonly inputs?: ReadonlyMap<string, string>;
}

/**
 * The code with calls of tools, as they are usually written, calling local functions, and inputs read from local
 * variables. What is written in another way stays: whether a tool is still called, an analysis of the result says.
 */
export function renameCalls(code: string, { tools = new Map(), inputs = new Map() }: Renaming): string {
  const { source, program } = parse(code, stripTypes);
  const scopes = readScopes(program);
  const edits = new Edits();
  full(program, (found) => {
    const node = found as AnyNode;
    const callee = node.type === "CallExpression" ? node.callee : undefined;
    const [root, server, name, ...rest] = callee === undefined ? [] : readPath(callee, scopes);
    const tool = root === "mcp" && rest.length === 0 ? tools.get(`${server}:${name}`) : undefined;
    if (callee !== undefined && tool !== undefined) edits.replace(callee, tool);
    const [from, input, ...inner] = readPath(node, scopes);
    const isInput = INPUT_NAMES.some((each) => each === from) && inner.length === 0;
    const variable = isInput ? inputs.get(input ?? "") : undefined;
    if (variable !== undefined) edits.replace(node, variable);
  });
  return edits.apply(source.text);
}

/** `mcp.fs["read"]` as its names; nothing for what is not named so, or begins with a name of the code's own. */
function readPath(node: AnyNode, scopes: Scopes): string[] {
  if (node.type === "Identifier") return scopes.bindingOf(node) === undefined ? [node.name] : [];
  if (node.type !== "MemberExpression" || node.object.type === "Super") return [];
  const before = readPath(node.object, scopes);
  const { property, computed } = node;
  const name = computed
    ? property.type === "Literal"
      ? property.value
      : undefined
    : (property as { name?: string }).name;
  return before.length > 0 && typeof name === "string" ? [...before, name] : [];
}
