import type { AnyNode, Expression, Property, SpreadElement } from "acorn";

import { assign, growFrom } from "./assign.js";
import { noteFunction } from "./functions.js";
import { lineOf, type Machine, mixed, obstruct, release } from "./machine.js";
import { keyOf, lookUp, member, propertyKey } from "./names.js";
import {
  arrayOf,
  type Fields,
  isAbsent,
  isWholeInput,
  objectOf,
  opaque,
  sourcesOf,
  type Term,
  UNKNOWN,
  type Value,
} from "./values.js";

export type NodeOf<Type extends AnyNode["type"]> = Extract<AnyNode, { type: Type }>;

/**
 * The value of an expression, as far as it is known; what it does is noted on the way. `awaited` says that whoever
 * asked waits for the result at once, so that a call is a step and not work started beside what follows.
 */
export type ExpressionVisitors = {
  [Type in Expression["type"]]?: (machine: Machine, node: NodeOf<Type>, awaited: boolean) => Value;
};

export const EXPRESSIONS: ExpressionVisitors = {
  Literal(_machine, node) {
    const isJson = node.value === null ? !node.regex && !node.bigint : /string|number|boolean/.test(typeof node.value);
    return isJson ? { kind: "literal", value: node.value as string, origin: node } : UNKNOWN;
  },
  TemplateLiteral(machine, node) {
    const [only] = node.quasis;
    if (node.expressions.length === 0 && typeof only?.value.cooked === "string") {
      return { kind: "literal", value: only.value.cooked, origin: node };
    }
    return mixed(machine, ...node.expressions.map((inner) => machine.evaluate(inner)));
  },
  TaggedTemplateExpression(machine, node) {
    const tag = { node: node.tag, value: machine.evaluate(node.tag) };
    const values = node.quasi.expressions.map((inner) => machine.evaluate(inner));
    machine.handOn(tag, "a template");
    return mixed(machine, tag.value, ...values);
  },
  Identifier(machine, node) {
    const value = lookUp(machine, node);
    if (!machine.scopes.bindingOf(node)) {
      if (isWholeInput(value)) machine.inputs.sawWhole();
      else if (value.kind === "parameter") machine.inputs.read(node.name);
    }
    if (value.kind === "function") noteFunction(machine, value.node);
    return value;
  },
  FunctionExpression: (machine, node) => noteFunction(machine, node),
  ArrowFunctionExpression: (machine, node) => noteFunction(machine, node),
  ArrayExpression: (machine, node) => evaluateArray(machine, node),
  ObjectExpression: (machine, node) => evaluateObject(machine, node),
  UnaryExpression(machine, node) {
    const value = machine.evaluate(node.argument);
    if (node.operator === "typeof" && value.kind === "parameter" && value.path.length === 0)
      machine.inputs.optional(value.name);
    if (node.operator === "-" && value.kind === "literal" && typeof value.value === "number") {
      return { kind: "literal", value: -value.value, origin: node };
    }
    return node.operator === "void" ? UNKNOWN : opaque(value);
  },
  UpdateExpression(machine, node) {
    const value = opaque(machine.evaluate(node.argument));
    assignTo(machine, node.argument, value);
    return value;
  },
  BinaryExpression(machine, node) {
    const [left, right] = [machine.evaluate(node.left), machine.evaluate(node.right)];
    if (/^[!=]==?$/.test(node.operator)) noteAsked(machine, left, right);
    return opaque(left, right);
  },
  SequenceExpression(machine, node, awaited) {
    const last = node.expressions.length - 1;
    const values = node.expressions.map((inner, index) => machine.evaluate(inner, awaited && index === last));
    return values.at(last) ?? UNKNOWN;
  },
  AwaitExpression(machine, node) {
    const value = machine.evaluate(node.argument, true);
    if (machine.quiet === 0) machine.flow.join(sourcesOf(value), lineOf(machine, node));
    machine.results.set(node, value);
    return value;
  },
  YieldExpression(machine, node) {
    return node.argument ? mixed(machine, machine.evaluate(node.argument, true)) : UNKNOWN;
  },
  MemberExpression(machine, node) {
    return memberOfExpression(machine, node, machine.evaluate(node.object));
  },
  ChainExpression(machine, node, awaited) {
    for (let inner: AnyNode = node.expression; ;) {
      if (inner !== node.expression) machine.sites.chained.add(inner);
      if (inner.type === "CallExpression") inner = inner.callee;
      else if (inner.type === "MemberExpression") inner = inner.object;
      else break;
    }
    const value = machine.evaluate(node.expression, awaited);
    if (value.kind === "parameter") machine.inputs.optional(value.name);
    const isPart = (value.kind === "parameter" || value.kind === "reference") && value.path.length > 0;
    return isPart ? { ...value, optional: true } : value;
  },
};

/** A property of what an object expression gave. */
export function memberOfExpression(machine: Machine, node: NodeOf<"MemberExpression">, object: Value): Value {
  const { key, by } = keyOf(machine, node);
  if (key !== undefined && isWholeInput(object)) machine.inputs.tookPart();
  if (node.optional && object.kind === "parameter" && object.path.length === 0) machine.inputs.optional(object.name);
  return member(machine, object, { key, by, at: node });
}

/** Gives a value to what was evaluated before. */
export function assignTo(machine: Machine, target: AnyNode, value: Value): void {
  if (target.type === "MemberExpression") growFrom(machine, target, [value]);
  else assign(machine, target, value);
}

/** Code that compares an input with `undefined` or `null` can do without it. */
function noteAsked(machine: Machine, left: Value, right: Value): void {
  for (const [value, other] of [
    [left, right],
    [right, left],
  ] as const) {
    const isNothing = isAbsent(other) || (other.kind === "literal" && other.value === null);
    if (isNothing && value.kind === "parameter" && value.path.length === 0) machine.inputs.optional(value.name);
  }
}

function evaluateArray(machine: Machine, node: NodeOf<"ArrayExpression">): Value {
  const items: Term[] = [];
  let rest: Value | undefined;
  for (const element of node.elements) {
    if (!element) rest = UNKNOWN;
    else if (element.type !== "SpreadElement") items.push({ node: element, value: machine.evaluate(element) });
    else {
      const spread = machine.evaluate(element.argument);
      if (spread.kind === "array") items.push(...spread.items);
      else rest = rest ? opaque(rest, spread) : spread;
    }
  }
  return rest ? opaque(rest, ...items.map((item) => item.value)) : arrayOf(items, node);
}

function evaluateObject(machine: Machine, node: NodeOf<"ObjectExpression">): Value {
  const fields = new Map<string, Term>();
  const spreads: Term[] = [];
  for (const property of node.properties) {
    const isSpread = property.type === "SpreadElement";
    const spread = isSpread ? spreadInto(machine, fields, property) : putField(machine, fields, property);
    if (!spread) continue;
    spreads.push(spread);
    // What stands before an unknown spread may be overwritten by it.
    for (const [key, field] of fields) fields.set(key, { ...field, value: opaque(field.value, spread.value) });
  }
  const value = objectOf(fields, spreads);
  if (!hasMethodWithThis(machine, fields)) return value;
  // A method may read and change the other fields.
  obstruct(machine, node, "a method uses this");
  release(machine, value);
  return opaque(value);
}

function hasMethodWithThis({ code }: Machine, fields: Fields): boolean {
  const isMethod = ({ value }: Term): boolean => value.kind === "function" && /\bthis\b/.test(code.slice(value.node));
  return [...fields.values()].some(isMethod);
}

function spreadInto(machine: Machine, fields: Map<string, Term>, { argument }: SpreadElement): Term | undefined {
  const value = machine.evaluate(argument);
  if (value.kind !== "object" || value.spreads.length > 0) return { node: argument, value };
  for (const [key, field] of value.fields) fields.set(key, field);
  return undefined;
}

/** Puts a property where its name is known; gives back what it adds where it is not. */
function putField(machine: Machine, fields: Map<string, Term>, property: Property): Term | undefined {
  const { key, by = UNKNOWN } = propertyKey(machine, property);
  const value = machine.evaluate(property.value);
  if (key !== undefined && property.kind === "init") {
    fields.set(key, { node: property.value, value });
    return undefined;
  }
  return { node: property, value: opaque(value, by) };
}
