import type { AnyNode, TemplateLiteral } from "acorn";

/** A piece of text as it was written, or the name or member that stands in its place. */
export type TextPart = string | AnyNode;

/** What text is put together from, by a template or by `+`; undefined where it is computed in another way. */
export function listTextParts(node: AnyNode): TextPart[] | undefined {
  if (node.type === "TemplateLiteral") return listTemplateParts(node);
  if (node.type !== "BinaryExpression" || node.operator !== "+") return undefined;
  const operands = flatten(node);
  // From the first text on, `+` joins; before it, numbers would be added.
  if (!operands.slice(0, 2).some(isText)) return undefined;
  return operands.every(isSimple) ? operands.map((each) => textOf(each) ?? each) : undefined;
}

function listTemplateParts({ quasis, expressions }: TemplateLiteral): TextPart[] | undefined {
  if (!expressions.every(isSimple)) return undefined;
  return quasis.flatMap(({ value }, at): TextPart[] => {
    const next = expressions[at];
    const written = value.cooked ?? "";
    return [...(written === "" ? [] : [written]), ...(next === undefined ? [] : [textOf(next) ?? next])];
  });
}

function flatten(node: AnyNode): AnyNode[] {
  if (node.type !== "BinaryExpression" || node.operator !== "+") return [node];
  return [...flatten(node.left), node.right];
}

function isText(node: AnyNode): boolean {
  return node.type === "Literal" && typeof node.value === "string";
}

function textOf(node: AnyNode): string | undefined {
  if (node.type !== "Literal") return undefined;
  return typeof node.value === "string" || typeof node.value === "number" ? String(node.value) : undefined;
}

/** What can be looked up a second time without anything happening. */
function isSimple(node: AnyNode): boolean {
  if (node.type === "Identifier") return true;
  if (node.type === "Literal") return textOf(node) !== undefined;
  return node.type === "MemberExpression" && !node.computed && isSimple(node.object);
}
