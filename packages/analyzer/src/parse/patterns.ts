import type { AnyNode, Identifier, Pattern, SwitchCase } from "acorn";

import type { SourceText } from "./source-text.js";

/**
 * Calls `onName` for each name that a pattern binds, and `onExpression` for what is evaluated on the way: defaults,
 * computed keys, members that are assigned to.
 */
export function eachBoundName(
  pattern: Pattern,
  onName: (name: Identifier) => void,
  onExpression: (expression: AnyNode) => void = () => {},
): void {
  const visit = (inner: Pattern): void => eachBoundName(inner, onName, onExpression);
  switch (pattern.type) {
    case "Identifier":
      return onName(pattern);
    case "AssignmentPattern":
      visit(pattern.left);
      return onExpression(pattern.right);
    case "RestElement":
      return visit(pattern.argument);
    case "ArrayPattern":
      for (const element of pattern.elements) if (element) visit(element);
      return;
    case "ObjectPattern":
      for (const property of pattern.properties) {
        if (property.type === "RestElement") visit(property.argument);
        else {
          if (property.computed) onExpression(property.key);
          visit(property.value);
        }
      }
      return;
    default:
      return onExpression(pattern);
  }
}

/** The outcome that a case of a switch stands for. */
export function labelOf({ test }: SwitchCase, code: SourceText): string {
  if (!test) return "default";
  const text = test.type === "Literal" && typeof test.value === "string" ? test.value : undefined;
  // A text that reads like another label keeps its quotes.
  const isPlain = text !== undefined && !/^(default|true|false|null|undefined|-?[\d.].*)$/.test(text);
  return isPlain ? text : code.slice(test);
}
