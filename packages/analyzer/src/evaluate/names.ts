import type { AnyNode, Identifier } from "acorn";

import { toolId } from "../catalog.js";
import { kindOfName } from "../globals.js";
import { WHOLE_INPUT } from "../inputs.js";
import { type Machine, mixed } from "./machine.js";
import { jsonOf, NO_SOURCES, opaque, UNKNOWN, type Value } from "./values.js";

/** What a name stands for where it is used. */
export function lookUp(machine: Machine, name: Identifier): Value {
  const binding = machine.scopes.bindingOf(name);
  if (binding) {
    if (binding.declared && !binding.reassigned) return { kind: "function", node: binding.declared };
    return machine.environment.get(binding) ?? UNKNOWN;
  }
  switch (name.name) {
    case "mcp":
      return { kind: "tools" };
    case "capabilities":
      return { kind: "capabilities", path: [] };
    case "args":
    case "context":
      return { kind: "parameter", name: WHOLE_INPUT, path: [] };
    default:
      return kindOfName(name.name) === "input"
        ? { kind: "parameter", name: name.name, path: [] }
        : { kind: "global", name: name.name };
  }
}

/** A property that code asks for. */
export interface Member {
  /** Undefined when it is only known at run time. */
  readonly key: string | undefined;
  /** The text that computes it. */
  readonly computed: string;
}

export function member(machine: Machine, value: Value, asked: Member): Value {
  const { key } = asked;
  switch (value.kind) {
    case "tools":
      return memberOfTools(machine, value, asked);
    case "capabilities":
      return memberOfCapabilities(machine, value.path, asked);
    case "reference":
      return key === undefined ? opaque(value) : { ...value, path: [...value.path, indexOrKey(key)] };
    case "parameter":
      return memberOfInput(machine, value, key);
    case "object":
      return memberOfObject(machine, value, key);
    case "array":
      return key !== undefined && /^\d+$/.test(key)
        ? (value.items[Number(key)]?.value ?? UNKNOWN)
        : mixed(machine, value);
    case "global":
      return key === undefined ? UNKNOWN : { kind: "global", name: `${value.name}.${key}` };
    case "literal":
      return UNKNOWN;
    default:
      return opaque(value);
  }
}

/** The property a member expression names; undefined when only a run can tell. */
export function keyOf(machine: Machine, node: AnyNode & { type: "MemberExpression" }): string | undefined {
  if (!node.computed) return node.property.type === "Identifier" ? node.property.name : undefined;
  return keyFrom(machine, node.property);
}

export function propertyKey(machine: Machine, property: { key: AnyNode; computed: boolean }): string | undefined {
  if (!property.computed && property.key.type === "Identifier") return property.key.name;
  return keyFrom(machine, property.key);
}

function keyFrom(machine: Machine, node: AnyNode): string | undefined {
  const value = machine.evaluate(node);
  const key = jsonOf(value);
  if (typeof key !== "string" && typeof key !== "number") return undefined;
  if (value.kind === "literal") machine.fixed.add(value.origin);
  return String(key);
}

function memberOfTools(machine: Machine, value: Value & { kind: "tools" }, { key, computed }: Member): Value {
  const { server } = value;
  if (server === undefined) {
    if (key === "cap") return { kind: "capabilities", path: [] };
    if (key !== undefined && key !== "*") return { kind: "tools", server: key };
    machine.reach.computed("*");
    return { kind: "tools", server: "*", computed };
  }
  if (server === "*") return { kind: "tool", id: "*", computed: value.computed ?? computed };
  if (key === undefined || key === "*") {
    machine.reach.computed(`${server}:*`);
    return { kind: "tool", id: `${server}:*`, computed };
  }
  const id = toolId(server, key);
  machine.reach.tool(id);
  return { kind: "tool", id };
}

function memberOfCapabilities(machine: Machine, path: readonly string[], { key, computed }: Member): Value {
  if (key !== undefined) return { kind: "capabilities", path: [...path, key] };
  machine.reach.computed("cap:*");
  return { kind: "capabilities", path: [...path, "*"], computed };
}

function memberOfInput(machine: Machine, value: Value & { kind: "parameter" }, key: string | undefined): Value {
  if (key === undefined) return { kind: "opaque", sources: new Set([`$${value.name}`]) };
  if (value.name !== WHOLE_INPUT) return { ...value, path: [...value.path, indexOrKey(key)] };
  machine.inputs.read(key);
  return { kind: "parameter", name: key, path: [] };
}

function memberOfObject(machine: Machine, value: Value & { kind: "object" }, key: string | undefined): Value {
  if (key === undefined) return mixed(machine, value);
  const field = value.fields.get(key)?.value;
  if (field) return field;
  if (value.spreads.length === 0) return { kind: "opaque", sources: NO_SOURCES };
  return opaque(...value.spreads.map((term) => term.value));
}

function indexOrKey(key: string): string | number {
  return /^(0|[1-9]\d{0,8})$/.test(key) ? Number(key) : key;
}
