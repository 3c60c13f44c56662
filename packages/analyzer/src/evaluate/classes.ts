import type { ClassDeclaration, ClassExpression } from "acorn";

import type { ExpressionVisitors } from "./expressions.js";
import { type Machine, mixed } from "./machine.js";
import { UNKNOWN, type Value } from "./values.js";

export const CLASSES: ExpressionVisitors = {
  ClassExpression: (machine, node) => evaluateClass(machine, node),
};

/** Methods are functions that may be called later; what stands in fields and static blocks is evaluated. */
export function evaluateClass(machine: Machine, node: ClassDeclaration | ClassExpression): Value {
  if (node.superClass) mixed(machine, machine.evaluate(node.superClass));
  for (const part of node.body.body) {
    if (part.type === "StaticBlock") machine.execute(part);
    else {
      if (part.computed) machine.evaluate(part.key);
      if (part.value) mixed(machine, machine.evaluate(part.value));
    }
  }
  return UNKNOWN;
}
