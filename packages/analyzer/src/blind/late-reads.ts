import type { AnyNode, Identifier } from "acorn";

import type { Binding } from "../parse/scope.js";
import type { Change } from "./changes.js";
import { groupByBinding, type Use } from "./uses.js";
import { isFunction, methodOf } from "./ways.js";

/** Methods whose callback is done with when they return. */
const IN_PLACE = new Set(
  "map forEach filter some every find findIndex findLast findLastIndex flatMap reduce reduceRight sort toSorted replace replaceAll from".split(
    " ",
  ),
);
const PUTS = new Set("push unshift set add".split(" "));

/** Names that a function reads, which may run when they stand for something else than where it was written. */
export function listLateReads(uses: readonly Use[], changesOf: ReadonlyMap<Binding, readonly Change[]>): Identifier[] {
  const usesAt = new Map([...groupByBinding(uses, ({ binding }) => binding)].map(([{ at }, each]) => [at, each]));
  return uses.filter((use) => isLate(use, { changesOf, usesAt })).map(({ name }) => name);
}

interface Known {
  readonly changesOf: ReadonlyMap<Binding, readonly Change[]>;
  /** By where the name is declared. */
  readonly usesAt: ReadonlyMap<number, readonly Use[]>;
}

function isLate({ name, binding, ancestors }: Use, known: Known): boolean {
  if (!binding.reassigned && !known.changesOf.has(binding)) return false;
  if (isOnlyChanged(name, ancestors)) return false;
  return ancestors.some((each, at) => {
    const isOutside = isFunction(each) && !(each.start <= binding.at && binding.at < each.end);
    return isOutside && !runsInPlace(each, ancestors[at - 1], known);
  });
}

/** `out.push(x)` and `o.x = 1` as statements read nothing of what was there. */
function isOnlyChanged(name: Identifier, ancestors: readonly AnyNode[]): boolean {
  const [outer, next, last] = [-2, -3, -4].map((at) => ancestors.at(at));
  if (outer?.type !== "MemberExpression" || outer.object !== name) return false;
  if (next?.type === "AssignmentExpression") return next.left === outer && next.operator === "=";
  if (next?.type !== "CallExpression" || next.callee !== outer) return false;
  return PUTS.has(methodOf(next) ?? "") && last?.type === "ExpressionStatement";
}

/** Where it is called is where it runs, each time it is. */
function runsInPlace(node: AnyNode, outer: AnyNode | undefined, { usesAt }: Known): boolean {
  if (outer?.type === "CallExpression")
    return outer.callee === node ? !isAsync(node) : IN_PLACE.has(methodOf(outer) ?? "");
  const declarator = outer?.type === "VariableDeclarator" ? outer.id : undefined;
  const name = node.type === "FunctionDeclaration" ? node.id : declarator;
  if (name?.type !== "Identifier") return false;
  return (usesAt.get(name.start) ?? []).every((use) => isCalledInPlace(use, node));
}

function isCalledInPlace({ name, ancestors }: Use, node: AnyNode): boolean {
  const [call, outer] = [ancestors.at(-2), ancestors.at(-3)];
  if (call?.type !== "CallExpression" || call.callee !== name) return false;
  return !isAsync(node) || outer?.type === "AwaitExpression";
}

function isAsync(node: AnyNode): boolean {
  return "async" in node && node.async === true;
}
