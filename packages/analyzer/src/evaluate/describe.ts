import type { AnyNode, Identifier } from "acorn";

import type { JsonSchema } from "../catalog.js";
import { kindOfName } from "../globals.js";
import { WHOLE_INPUT } from "../inputs.js";
import { define } from "../records.js";
import type { Arguments, ArgumentValue, ExpressionArgument } from "../structure.js";
import { type Machine, quietly } from "./machine.js";
import { lookUp } from "./names.js";
import { listTextParts } from "./text-parts.js";
import { isWholeInput, jsonOf, nodesIn, parametersIn, sourcesOf, type Term, type Value } from "./values.js";

/** How many expressions one description may spell out: constants made of constants can branch without end. */
const MOST_PARTS = 64;

const MOST_SOURCES = 2_000_000;

interface Budget {
  left: number;
}

/** What a value is, as the structure tells it. */
export function describe(machine: Machine, term: Term, budget: Budget = { left: MOST_PARTS }): ArgumentValue {
  const { node, value } = term;
  const json = jsonOf(value);
  if (json !== undefined) return { type: "literal", value: json };
  if (value.kind === "reference") {
    const { node: from, path } = value;
    const plain = { type: "reference", expression: machine.code.slice(node), from, path } as const;
    return value.optional ? { ...plain, optional: true } : plain;
  }
  if (value.kind === "parameter") {
    const plain = { type: "parameter", parameterName: value.name, path: value.path } as const;
    return value.optional ? { ...plain, optional: true } : plain;
  }
  return describeExpression(machine, term, budget);
}

/** What a tool or capability is called with. */
export function describeInput(
  machine: Machine,
  input: Term | undefined,
  schema: JsonSchema | undefined,
): { arguments: Arguments; spread?: readonly ArgumentValue[] } {
  if (!input) return { arguments: {} };
  const { value } = input;
  const fields = value.kind === "object" ? value.fields : new Map<string, Term>();
  const wholes = value.kind === "object" ? value.spreads : [input];
  for (const [name, field] of fields) noteFlow(machine, { name, field, schema: propertyOf(schema, name) });
  for (const whole of wholes) if (isWholeInput(whole.value)) machine.inputs.handedTo(schema);
  const described = describeFields(machine, fields);
  if (wholes.length === 0) return { arguments: described };
  return { arguments: described, spread: wholes.map((part) => describe(machine, part)) };
}

export interface Closed {
  readonly arguments: Arguments;
  /** Absent when the expression cannot stand on its own. */
  readonly standalone?: string;
}

/** What the names in an expression stand for, and its text with the calls inside it named by their results. */
export function closeOver(machine: Machine, node: AnyNode, budget: Budget = { left: MOST_PARTS }): Closed {
  const replacements = resultsInside(machine, node);
  const found = new Map<string, ArgumentValue>();
  let closed = true;
  for (const { node: call, id, name } of replacements) {
    found.set(name, { type: "reference", expression: machine.code.slice(call), from: id, path: [] });
  }
  for (const name of machine.scopes.referencesIn(node)) {
    if (found.has(name.name) || isInside(replacements, name) || isLocalTo(machine, node, name)) continue;
    if (!machine.scopes.bindingOf(name) && kindOfName(name.name) === "language") continue;
    const value = lookUp(machine, name);
    const described = value.kind === "function" ? undefined : describe(machine, { node: name, value }, budget);
    if (!described || !canStandAlone(machine, name, described)) closed = false;
    if (described) found.set(name.name, described);
  }
  const names = Object.fromEntries(found);
  return closed ? { arguments: names, standalone: replaced(machine, node, replacements) } : { arguments: names };
}

/** A parameter takes the type of the field it fills; a literal there may become a parameter. */
function noteFlow(machine: Machine, flow: { name: string; field: Term; schema: JsonSchema | undefined }): void {
  const { name, schema } = flow;
  const { value } = flow.field;
  if (value.kind === "parameter" && schema) machine.inputs.flowsInto(value.name, value.path, schema);
  else if (value.kind === "reference" && schema) noteElement(machine, value, schema);
  else if ((value.kind === "literal" || value.kind === "array") && value.origin) {
    const json = jsonOf(value);
    if (json !== undefined) machine.liftables.push({ origin: value.origin, field: name, value: json, schema });
  } else if (value.kind === "object") {
    for (const [inner, field] of value.fields)
      noteFlow(machine, { name: inner, field, schema: propertyOf(schema, inner) });
  }
}

/** What flows in from a loop tells of the elements of the list. */
function noteElement(machine: Machine, { node, path }: Value & { kind: "reference" }, schema: JsonSchema): void {
  const list = machine.lists.get(node);
  if (list?.kind === "parameter" && list.name !== WHOLE_INPUT)
    machine.inputs.flowsInto(list.name, [...list.path, 0, ...path], schema);
}

function describeExpression(machine: Machine, term: Term, budget: Budget): ExpressionArgument {
  const { value } = term;
  const node = followed(machine, term.node);
  const sources = sourcesOf(value);
  countSources(machine, sources.size, node);
  const expandable = node.type !== "Identifier" && budget.left-- > 0;
  return {
    type: "expression",
    expression: machine.code.slice(node),
    dependsOn: nodesIn(sources),
    parameters: parametersIn(sources),
    ...(value.kind === "object" &&
      value.spreads.length === 0 && { fields: describeFields(machine, value.fields, budget) }),
    ...(value.kind === "array" && { items: value.items.map((item) => describe(machine, item, budget)) }),
    ...(expandable && describeText(machine, node, budget)),
    ...(expandable && closeOver(machine, node, budget)),
  };
}

function describeText(machine: Machine, node: AnyNode, budget: Budget): Pick<ExpressionArgument, "text"> {
  const parts = listTextParts(node);
  if (parts === undefined || machine.scopes.referencesIn(node).some((name) => isChanged(machine, name))) return {};
  const text = parts.map((part): ArgumentValue => {
    if (typeof part === "string") return { type: "literal", value: part };
    return describe(machine, { node: part, value: quietly(machine, () => machine.evaluate(part)) }, budget);
  });
  return { text };
}

/** A list that every step adds to and uses grows the structure with the square of the steps. */
function countSources(machine: Machine, count: number, node: AnyNode): void {
  machine.traced += count;
  if (machine.traced <= MOST_SOURCES) return;
  const message = "Too many results go into too many steps. Write the code with fewer of them at a time";
  throw machine.code.error("ANALYZER_TOO_COMPLEX", message, { offset: node.start });
}

/** The expression behind a constant's name. */
function followed(machine: Machine, node: AnyNode): AnyNode {
  const binding = node.type === "Identifier" ? machine.scopes.bindingOf(node) : undefined;
  const isFixed = binding && !binding.reassigned && !binding.mutated;
  const initialiser = isFixed && machine.initialisers.get(binding);
  return initialiser ? followed(machine, initialiser) : node;
}

function describeFields(machine: Machine, fields: ReadonlyMap<string, Term>, budget?: Budget): Arguments {
  const described: Record<string, ArgumentValue> = {};
  for (const [name, field] of fields) define(described, name, describe(machine, field, budget));
  return described;
}

function propertyOf(schema: JsonSchema | undefined, name: string): JsonSchema | undefined {
  return schema?.properties && Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
}

interface Replacement {
  readonly node: AnyNode;
  readonly id: string;
  /** What stands for the result in the text. */
  readonly name: string;
}

function resultsInside(machine: Machine, node: AnyNode): Replacement[] {
  const inside: Replacement[] = [];
  for (const call of machine.scopes.callsIn(node)) {
    if (call === node || call.start < (inside.at(-1)?.node.end ?? 0)) continue;
    const value = machine.results.get(call);
    if (value?.kind === "reference" && value.path.length === 0) {
      inside.push({ node: call, id: value.node, name: machine.resultPrefix + value.node });
    }
  }
  return inside;
}

function isInside(replacements: readonly Replacement[], name: Identifier): boolean {
  return replacements.some(({ node }) => node.start <= name.start && name.end <= node.end);
}

function isLocalTo(machine: Machine, node: AnyNode, name: Identifier): boolean {
  const binding = machine.scopes.bindingOf(name);
  return binding !== undefined && node.start <= binding.at && binding.at < node.end;
}

function canStandAlone(machine: Machine, name: Identifier, described: ArgumentValue): boolean {
  if (isChanged(machine, name)) return false;
  return described.type !== "expression" || described.standalone !== undefined;
}

function isChanged(machine: Machine, name: Identifier): boolean {
  const binding = machine.scopes.bindingOf(name);
  return binding?.reassigned === true || binding?.mutated === true;
}

function replaced(machine: Machine, node: AnyNode, replacements: readonly Replacement[]): string {
  const { text } = machine.code;
  let result = "";
  let at = node.start;
  for (const { node: call, name } of replacements) {
    result += text.slice(at, call.start) + name;
    at = call.end;
    // `a?.trim().length`: without the chain before it, the rest has to ask for itself.
    if (machine.sites.chained.has(call)) result += linkBefore(text.slice(at, node.end));
  }
  return result + text.slice(at, node.end);
}

/** What makes the rest of a chain optional. */
function linkBefore(rest: string): string {
  const [next = ""] = rest.trimStart();
  if (next === ".") return "?";
  return next === "[" || next === "(" ? "?." : "";
}
