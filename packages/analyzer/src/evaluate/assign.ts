import type { AnyNode, Identifier, ObjectPattern, Pattern } from "acorn";

import { eachBoundName } from "../parse/patterns.js";
import { type Machine, mixed, obstruct, release } from "./machine.js";
import { lookUp, member, propertyKey } from "./names.js";
import { isAbsent, isWholeInput, jsonOf, opaque, reachesTools, UNKNOWN, type Value } from "./values.js";

/** Gives a pattern its value: the names in it stand for the parts they take. */
export function assign(machine: Machine, pattern: AnyNode, value: Value): void {
  switch (pattern.type) {
    case "Identifier":
      return assignName(machine, pattern, value);
    case "MemberExpression":
      machine.evaluate(pattern);
      return growFrom(machine, pattern, [value]);
    case "AssignmentPattern":
      return assign(machine, pattern.left, orDefault(machine, value, pattern.right));
    case "RestElement":
      return assign(machine, pattern.argument, opaque(value));
    case "ArrayPattern":
      return pattern.elements.forEach((element, index) => assignElement(machine, element, { index, value }));
    case "ObjectPattern":
      return assignProperties(machine, pattern, value);
    default:
      return;
  }
}

/** Something is put into what `target` names: from here on, that is also made from it. */
export function growFrom(machine: Machine, target: AnyNode, values: readonly Value[]): void {
  const binding = rootOf(machine, target);
  if (!binding) {
    mixed(machine, ...values);
    // What a call just gave, nobody else has.
    if (isNamed(target)) obstruct(machine, target, "it changes a value in place");
    return;
  }
  const before = machine.environment.get(binding) ?? UNKNOWN;
  machine.environment.set(binding, opaque(before, ...values, ...keysOf(machine, target)));
}

/** `counts[word] = 1` keeps the word as well. */
function keysOf(machine: Machine, target: AnyNode): Value[] {
  if (target.type !== "MemberExpression" || !target.computed) return [];
  return machine.scopes.referencesIn(target.property).map((name) => lookUp(machine, name));
}

/** What a changeable name is given may be changed through it: then nothing in `source` is what was written out. */
export function shareWith(machine: Machine, pattern: Pattern, source: AnyNode): void {
  let isChanged = false;
  eachBoundName(pattern, (name) => (isChanged ||= machine.scopes.bindingOf(name)?.mutated === true));
  if (!isChanged || source.type === "CallExpression" || source.type === "AwaitExpression") return;
  for (const name of machine.scopes.referencesIn(source)) {
    const binding = machine.scopes.bindingOf(name);
    if (!binding) obstruct(machine, source, "it changes a value in place");
    else {
      binding.mutated = true;
      machine.environment.set(binding, opaque(machine.environment.get(binding) ?? UNKNOWN));
    }
  }
}

/** Code in `range` may have been left in the middle: what it writes may or may not have been written. */
export function forgetWrites(machine: Machine, range: { start: number; end: number }): void {
  for (const { binding } of machine.scopes.writesIn(range)) {
    const isOuter = binding.at < range.start || binding.at >= range.end;
    if (isOuter) machine.environment.set(binding, opaque(machine.environment.get(binding) ?? UNKNOWN));
  }
}

/** A name, or a part of what one stands for. */
function isNamed(node: AnyNode): boolean {
  return node.type === "Identifier" || node.type === "MemberExpression";
}

function rootOf(machine: Machine, node: AnyNode): ReturnType<Machine["scopes"]["bindingOf"]> {
  let root = node;
  while (root.type === "MemberExpression") root = root.object;
  return root.type === "Identifier" ? machine.scopes.bindingOf(root) : undefined;
}

function assignProperties(machine: Machine, pattern: ObjectPattern, value: Value): void {
  if (takesPartsOnly(pattern) && isWholeInput(value)) machine.inputs.tookPart();
  for (const property of pattern.properties) {
    if (property.type === "RestElement") assign(machine, property, value);
    else {
      const { key, by } = propertyKey(machine, property);
      assign(machine, property.value, member(machine, value, { key, by, at: property }));
    }
  }
}

/** `const { a, b } = args` does not hand the object itself to anyone. */
function takesPartsOnly(pattern: ObjectPattern): boolean {
  return pattern.properties.every((property) => property.type !== "RestElement" && !property.computed);
}

function assignName(machine: Machine, name: Identifier, value: Value): void {
  const binding = machine.scopes.bindingOf(name);
  if (!binding) return;
  // Which of its values a name has is not followed through loops and closures; the tools among them stay callable.
  if (binding.reassigned && reachesTools(value)) release(machine, value);
  const isUnsure = binding.writtenElsewhere || (binding.mutated && value.kind !== "function");
  machine.environment.set(binding, isUnsure ? opaque(value) : value);
}

function assignElement(machine: Machine, element: Pattern | null, from: { index: number; value: Value }): void {
  if (!element) return;
  const { index, value } = from;
  const isRest = element.type === "RestElement";
  assign(machine, element, isRest ? value : member(machine, value, { key: String(index), at: element }));
}

function orDefault(machine: Machine, value: Value, fallback: AnyNode): Value {
  const other = machine.evaluate(fallback);
  if (isAbsent(value)) return other;
  if (value.kind === "parameter" && value.path.length === 0) {
    const json = jsonOf(other);
    machine.inputs.optional(value.name, json);
    return json === undefined ? opaque(value, other) : value;
  }
  const isThere = value.kind !== "opaque" && value.kind !== "reference" && value.kind !== "parameter";
  return isThere ? value : opaque(value, other);
}
