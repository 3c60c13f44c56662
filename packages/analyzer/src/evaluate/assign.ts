import type { AnyNode, Identifier, ObjectPattern, Pattern } from "acorn";

import type { Machine } from "./machine.js";
import { member, propertyKey } from "./names.js";
import { isWholeInput, jsonOf, opaque, sourcesOf, UNKNOWN, type Value } from "./values.js";

/** Gives a pattern its value: the names in it stand for the parts they take. */
export function assign(machine: Machine, pattern: AnyNode, value: Value): void {
  switch (pattern.type) {
    case "Identifier":
      return assignName(machine, pattern, value);
    case "MemberExpression":
      return storeInto(machine, pattern, value);
    case "AssignmentPattern":
      return assign(machine, pattern.left, orDefault(machine, value, pattern.right));
    case "RestElement":
      return assign(machine, pattern.argument, value.kind === "parameter" ? value : opaque(value));
    case "ArrayPattern":
      return pattern.elements.forEach((element, index) => assignElement(machine, element, { index, value }));
    case "ObjectPattern":
      if (takesPartsOnly(pattern) && isWholeInput(value)) machine.inputs.tookPart();
      for (const property of pattern.properties) {
        if (property.type === "RestElement") assign(machine, property, value);
        else {
          const asked = { key: propertyKey(machine, property), computed: machine.code.slice(property) };
          assign(machine, property.value, member(machine, value, asked));
        }
      }
      return;
    default:
      return;
  }
}

/** Notes that something was put into what `root` names. */
export function growFrom(machine: Machine, root: AnyNode, values: readonly Value[]): void {
  const binding = root.type === "Identifier" ? machine.scopes.bindingOf(root) : undefined;
  if (!binding || values.every((value) => sourcesOf(value).size === 0)) return;
  machine.environment.set(binding, opaque(machine.environment.get(binding) ?? UNKNOWN, ...values));
}

/** `const { a, b } = args` does not hand the object itself to anyone. */
function takesPartsOnly(pattern: ObjectPattern): boolean {
  return pattern.properties.every((property) => property.type !== "RestElement" && !property.computed);
}

function assignName(machine: Machine, name: Identifier, value: Value): void {
  const binding = machine.scopes.bindingOf(name);
  if (!binding) return;
  // What is changed in place is no longer what was written out.
  const isWrittenOut = value.kind === "object" || value.kind === "array";
  machine.environment.set(binding, binding.mutated && isWrittenOut ? opaque(value) : value);
}

/** `x.y = value`: from here on, x is also made from value. */
function storeInto(machine: Machine, target: AnyNode, value: Value): void {
  let root = target;
  while (root.type === "MemberExpression") {
    if (root.computed) machine.evaluate(root.property);
    root = root.object;
  }
  growFrom(machine, root, [value]);
}

function assignElement(machine: Machine, element: Pattern | null, from: { index: number; value: Value }): void {
  if (!element) return;
  const { index, value } = from;
  const isRest = element.type === "RestElement";
  assign(machine, element, isRest ? value : member(machine, value, { key: String(index), computed: "" }));
}

function orDefault(machine: Machine, value: Value, fallback: AnyNode): Value {
  const other = machine.evaluate(fallback);
  if (value.kind === "parameter" && value.path.length === 0) {
    machine.inputs.optional(value.name, jsonOf(other));
    return value;
  }
  return value === UNKNOWN ? other : opaque(value, other);
}
