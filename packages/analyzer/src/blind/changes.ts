import type { AnyNode, VariableDeclarator } from "acorn";

import { eachBoundName } from "../parse/patterns.js";
import type { Binding, Scopes } from "../parse/scope.js";
import { methodOf, rootOf } from "./ways.js";

/** Something is put into what a name stands for. */
export interface Change {
  readonly node: AnyNode;
  readonly root: AnyNode;
  /** How many members lie between the name and what is changed: 0 for `o.x = …` and `o.push(…)`. */
  readonly depth: number;
}

/** Methods that put what they are given into what they are called on. */
const PUTS = /^(?:push|unshift|splice|set|add|fill|append)$/;
const PUTS_INTO_FIRST = /^(?:assign|defineProperty|defineProperties|setPrototypeOf)$/;

/** What of a node changes something; those that bring nothing new in, as `sort` and `delete`, are none. */
export function findChange(node: AnyNode): Change | undefined {
  if (node.type === "AssignmentExpression" && node.left.type === "MemberExpression")
    return { node, root: rootOf(node.left), depth: depthOf(node.left) - 1 };
  if (node.type === "UpdateExpression" || node.type !== "CallExpression") return undefined;
  const method = methodOf(node);
  if (method === undefined || node.callee.type !== "MemberExpression") return undefined;
  const { object } = node.callee;
  if (PUTS.test(method)) return { node, root: rootOf(object), depth: depthOf(object) };
  const [first] = node.arguments;
  const isStatic = object.type === "Identifier" && /^(?:Object|Reflect)$/.test(object.name);
  if (!isStatic || !PUTS_INTO_FIRST.test(method) || first === undefined) return undefined;
  return { node, root: rootOf(first), depth: depthOf(first) };
}

function depthOf(node: AnyNode): number {
  return node.type === "MemberExpression" ? 1 + depthOf(node.object) : 0;
}

/** Calls that give something nobody else has a name for. */
const MAKES_NEW =
  /^(?:map|filter|slice|concat|flat|flatMap|split|toSorted|toReversed|entries|fromEntries|keys|values|parse|from|of)$/;

/** Names that are the only ones for what they were first given. */
export function noteOwn({ id, init }: VariableDeclarator, scopes: Scopes, own: Set<Binding>): void {
  if (init && !isNew(init)) return;
  const isWhole = id.type === "Identifier";
  // A part of a result is nobody else's, as nothing names the whole.
  if (!isWhole && init?.type !== "AwaitExpression") return;
  eachBoundName(id, (name) => {
    const binding = scopes.bindingOf(name);
    if (binding !== undefined) own.add(binding);
  });
}

function isNew(init: AnyNode): boolean {
  switch (init.type) {
    case "ObjectExpression":
    case "ArrayExpression":
    case "NewExpression":
    case "Literal":
    case "TemplateLiteral":
      return true;
    case "AwaitExpression":
      return isNew(init.argument);
    case "CallExpression": {
      const root = rootOf(init.callee);
      const isTool = root.type === "Identifier" && /^(?:mcp|capabilities|structuredClone)$/.test(root.name);
      return isTool || MAKES_NEW.test(methodOf(init) ?? "");
    }
    default:
      return false;
  }
}
