import type { AnyNode, CallExpression, MemberExpression } from "acorn";

import type { Scopes } from "../parse/scope.js";

/** What becomes of a value where it is named: it is given to a tool, kept for later, leaves the code, or is only looked at. */
export type Way = "given" | "kept" | "returned" | "left" | "looked at";

/** Free names whose functions keep nothing of what they are given, and give something made of it. */
const MAKERS =
  /^(?:JSON|Object|Array|String|Number|Boolean|Math|Date|Map|Set|URL|URLSearchParams|structuredClone|parse(?:Int|Float)|is(?:NaN|Finite)|(?:en|de)codeURI(?:Component)?|atob|btoa)$/;
const LOGS = /^(?:console|pml)$/;
const TOOLS = /^(?:mcp|capabilities)$/;
/** Through these, what stands inside becomes a part of the whole. */
const HOLDS =
  /^(?:Property|ObjectExpression|ArrayExpression|SpreadElement|LogicalExpression|SequenceExpression|AwaitExpression|ChainExpression|TemplateLiteral|BinaryExpression|TaggedTemplateExpression)$/;

/** Follows a value outwards from where it stands, `ancestors` ending with it. `isWhole`: only for as long as it is itself. */
export function wayOf(ancestors: readonly AnyNode[], scopes: Scopes, isWhole: boolean): Way {
  for (let at = ancestors.length - 2; at >= 0; at--) {
    const [inner, outer] = [ancestors[at + 1], ancestors[at]] as [AnyNode, AnyNode];
    const way = step(inner, outer, { scopes, isWhole });
    if (way === "returned") return ancestors.slice(0, at).some(isFunction) ? "kept" : "returned";
    if (way !== undefined) return way;
  }
  return "looked at";
}

interface Question {
  readonly scopes: Scopes;
  readonly isWhole: boolean;
}

/** Undefined: it goes on outwards. */
function step(inner: AnyNode, outer: AnyNode, { scopes, isWhole }: Question): Way | undefined {
  switch (outer.type) {
    case "MemberExpression":
      return isWhole || outer.object !== inner ? "looked at" : undefined;
    case "ConditionalExpression":
      return outer.test === inner ? "looked at" : undefined;
    case "CallExpression":
    case "NewExpression":
      return outer.callee === inner ? undefined : wayInto(outer.callee, scopes, isWhole);
    case "ReturnStatement":
      return "returned";
    case "ThrowStatement":
      return "left";
    case "ArrowFunctionExpression":
    case "VariableDeclarator":
    case "AssignmentExpression":
    case "AssignmentPattern":
    case "PropertyDefinition":
    case "YieldExpression":
      return "kept";
    default:
      if (isWhole && /^(?:TemplateLiteral|BinaryExpression|SpreadElement)$/.test(outer.type)) return "looked at";
      return HOLDS.test(outer.type) ? undefined : "looked at";
  }
}

/** What is handed to a function. */
function wayInto(callee: AnyNode, scopes: Scopes, isWhole: boolean): Way | undefined {
  const root = rootOf(callee);
  if (root.type !== "Identifier" || scopes.bindingOf(root) !== undefined) return "kept";
  if (TOOLS.test(root.name)) return "given";
  if (LOGS.test(root.name)) return "left";
  if (root.name === "Promise") return undefined;
  if (!MAKERS.test(root.name)) return "kept";
  return isWhole ? "looked at" : undefined;
}

/** What stands first in `a.b.c`. */
export function rootOf(node: AnyNode): AnyNode {
  let root = node;
  while (root.type === "MemberExpression" || root.type === "ChainExpression")
    root = root.type === "MemberExpression" ? root.object : root.expression;
  return root;
}

export function isFunction({ type }: AnyNode): boolean {
  return type === "ArrowFunctionExpression" || type === "FunctionExpression" || type === "FunctionDeclaration";
}

export function methodOf({ callee }: CallExpression): string | undefined {
  const inner = callee.type === "MemberExpression" ? callee : undefined;
  return inner && nameOf(inner);
}

function nameOf({ property, computed }: MemberExpression): string | undefined {
  if (!computed && property.type === "Identifier") return property.name;
  return property.type === "Literal" ? String(property.value) : undefined;
}
