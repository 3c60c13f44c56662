import type { AnyNode } from "acorn";

import type { Machine } from "../evaluate/machine.js";

/**
 * Whether a statement may change places with others of its kind: it declares constants, and all it calls are tools
 * that only read, and pure operations.
 */
export function isMovable(machine: Machine, statement: AnyNode): boolean {
  const { scopes } = machine;
  if (statement.type !== "VariableDeclaration" && statement.type !== "ExpressionStatement") return false;
  if (scopes.writesIn(statement).length > 0) return false;
  return scopes.callsIn(statement).every((call) => call.type === "AwaitExpression" || isHarmless(machine, call));
}

function isHarmless({ results, flow, catalog }: Machine, call: AnyNode): boolean {
  const value = results.get(call);
  const node = value?.kind === "reference" && value.path.length === 0 ? flow.get(value.node) : undefined;
  return node?.type === "task" && (node.pure === true || catalog.isReadOnly(node.tool));
}
