import type { FunctionNode } from "../parse/scope.js";
import type { Machine } from "./machine.js";
import { lookUp } from "./names.js";
import { reachesTools, type Term, type Value } from "./values.js";

/** Whether running a function may call a tool or a capability. */
export function touchesTools(machine: Machine, node: FunctionNode, seen: Set<FunctionNode> = new Set()): boolean {
  if (seen.has(node)) return false;
  seen.add(node);
  return outsideNames(machine, node).some((value) => valueTouchesTools(machine, value, seen));
}

/** Whether whoever holds this value may call a tool or a capability with it. */
export function valueTouchesTools(machine: Machine, value: Value, seen?: Set<FunctionNode>): boolean {
  if (value.kind === "function") return touchesTools(machine, value.node, seen);
  const touches = (term: Term): boolean => valueTouchesTools(machine, term.value, seen);
  if (value.kind === "object") return [...value.fields.values(), ...value.spreads].some(touches);
  return value.kind === "array" ? value.items.some(touches) : reachesTools(value);
}

/** Whether a call of the function may lead to another call of it. */
export function isRecursive(machine: Machine, node: FunctionNode): boolean {
  const seen = new Set<FunctionNode>();
  const waiting = [node];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    for (const value of outsideNames(machine, next)) {
      if (value.kind !== "function" || seen.has(value.node)) continue;
      if (value.node === node) return true;
      seen.add(value.node);
      waiting.push(value.node);
    }
  }
  return false;
}

/** What the names stand for that a function uses and does not declare itself. */
function outsideNames(machine: Machine, node: FunctionNode): Value[] {
  const values: Value[] = [];
  for (const name of machine.scopes.referencesIn(node)) {
    const binding = machine.scopes.bindingOf(name);
    const isInner = binding && node.start < binding.at && binding.at < node.end && !isOwnName(node, binding.at);
    if (!isInner) values.push(lookUp(machine, name));
  }
  return values;
}

/** `function name() { name() }` declares its name inside itself. */
function isOwnName(node: FunctionNode, at: number): boolean {
  return node.type !== "ArrowFunctionExpression" && node.id?.start === at;
}
