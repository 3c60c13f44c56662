import type { AnyNode, Identifier } from "acorn";

import { toolId } from "../catalog.js";
import { kindOfName } from "../globals.js";
import { WHOLE_INPUT } from "../inputs.js";
import type { Machine } from "./machine.js";
import { ABSENT, jsonOf, opaque, UNKNOWN, type Value } from "./values.js";

/** What a name stands for where it is used. */
export function lookUp(machine: Machine, name: Identifier): Value {
  const binding = machine.scopes.bindingOf(name);
  if (!binding) return lookUpFree(name.name);
  if (binding.declared && !binding.reassigned) return { kind: "function", node: binding.declared };
  return machine.environment.get(binding) ?? UNKNOWN;
}

function lookUpFree(name: string): Value {
  switch (name) {
    case "mcp":
      return { kind: "tools" };
    case "capabilities":
      return { kind: "capabilities", path: [] };
    case "args":
    case "context":
      return { kind: "parameter", name: WHOLE_INPUT, path: [] };
    default:
      return kindOfName(name) === "input" ? { kind: "parameter", name, path: [] } : { kind: "global", name };
  }
}

/** Literals that a condition or a callback goes by are part of the logic: they are not lifted. */
export function keepConstants(machine: Machine, range: { start: number; end: number }): void {
  for (const name of machine.scopes.referencesIn(range)) {
    const value = lookUp(machine, name);
    if (value.kind === "literal") machine.fixed.add(value.origin);
  }
}

/** A property that code asks for. */
export interface Member {
  /** Undefined when it is only known at run time. */
  readonly key: string | undefined;
  /** What computes it. */
  readonly by?: Value | undefined;
  /** The expression that asks. */
  readonly at: AnyNode;
}

export function member(machine: Machine, value: Value, asked: Member): Value {
  const { key } = asked;
  switch (value.kind) {
    case "tools":
      return memberOfTools(machine, value, asked);
    case "capabilities":
      return memberOfCapabilities(machine, value.path, asked);
    case "tool":
      return opaque(value);
    case "literal":
      return opaque(asked.by ?? UNKNOWN);
    default:
      return key === undefined ? opaque(value, asked.by ?? UNKNOWN) : memberOfData(machine, value, key);
  }
}

function memberOfData(machine: Machine, value: Value, key: string): Value {
  switch (value.kind) {
    case "reference":
      return { ...value, path: [...value.path, indexOrKey(key)] };
    case "parameter":
      return memberOfInput(machine, value, key);
    case "object":
      return memberOfObject(value, key);
    case "array":
      return /^\d+$/.test(key) ? (value.items[Number(key)]?.value ?? ABSENT) : opaque(value);
    case "global":
      return memberOfGlobal(value.name, key);
    default:
      return opaque(value);
  }
}

type Key = Pick<Member, "key" | "by">;

/** The property that a member expression names. */
export function keyOf(machine: Machine, node: AnyNode & { type: "MemberExpression" }): Key {
  if (!node.computed) return { key: node.property.type === "Identifier" ? node.property.name : undefined };
  return keyFrom(machine, node.property);
}

export function propertyKey(machine: Machine, property: { key: AnyNode; computed: boolean }): Key {
  if (!property.computed && property.key.type === "Identifier") return { key: property.key.name };
  return keyFrom(machine, property.key);
}

function keyFrom(machine: Machine, node: AnyNode): Key {
  const by = machine.evaluate(node);
  const key = jsonOf(by);
  if (typeof key !== "string" && typeof key !== "number") return { key: undefined, by };
  if (by.kind === "literal") machine.fixed.add(by.origin);
  return { key: String(key), by };
}

function memberOfTools(machine: Machine, value: Value & { kind: "tools" }, { key, at }: Member): Value {
  const { server } = value;
  if (server === undefined) {
    if (key === "cap") return { kind: "capabilities", path: [] };
    if (key !== undefined && key !== "*") return { kind: "tools", server: key };
    machine.reach.computed("*");
    return { kind: "tools", server: "*", computed: machine.code.slice(at) };
  }
  if (server === "*") return { kind: "tool", id: "*", computed: value.computed ?? machine.code.slice(at) };
  if (key === undefined || key === "*") {
    machine.reach.computed(`${server}:*`);
    return { kind: "tool", id: `${server}:*`, computed: machine.code.slice(at) };
  }
  const id = toolId(server, key);
  machine.reach.tool(id);
  return { kind: "tool", id };
}

function memberOfCapabilities(machine: Machine, path: readonly string[], { key, at }: Member): Value {
  if (key !== undefined) return { kind: "capabilities", path: [...path, key] };
  machine.reach.computed("cap:*");
  return { kind: "capabilities", path: [...path, "*"], computed: machine.code.slice(at) };
}

function memberOfInput(machine: Machine, value: Value & { kind: "parameter" }, key: string): Value {
  if (value.name !== WHOLE_INPUT) return { ...value, path: [...value.path, indexOrKey(key)] };
  machine.inputs.read(key);
  return { kind: "parameter", name: key, path: [] };
}

/** What the code can reach by name, it can reach through `globalThis`. */
function memberOfGlobal(name: string, key: string): Value {
  const isOwn = name === "globalThis" && kindOfName(key) === "own";
  return isOwn ? lookUpFree(key) : { kind: "global", name: `${name}.${key}` };
}

function memberOfObject(value: Value & { kind: "object" }, key: string): Value {
  const field = value.fields.get(key)?.value;
  if (field) return field;
  return value.spreads.length === 0 ? ABSENT : opaque(...value.spreads.map((term) => term.value));
}

function indexOrKey(key: string): string | number {
  return /^(0|[1-9]\d{0,8})$/.test(key) ? Number(key) : key;
}
