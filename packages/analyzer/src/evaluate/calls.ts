import type { AnyNode, CallExpression, MemberExpression } from "acorn";

import { changesReceiver } from "../parse/read-scopes.js";
import type { FunctionNode } from "../parse/scope.js";
import { isPureOperation, operationId } from "../pure-operations.js";
import { growFrom, shareWith } from "./assign.js";
import { handOn, isIteration, runIteration } from "./callbacks.js";
import { callCapability, callTool } from "./calls-of-tools.js";
import { closeOver } from "./describe.js";
import { type ExpressionVisitors, memberOfExpression } from "./expressions.js";
import { callFunction, runQuietly } from "./functions.js";
import { lineOf, type Machine, mixed, obstruct, release } from "./machine.js";
import { keepConstants } from "./names.js";
import { combine, isCombinator, isContinuation, runContinuation } from "./promises.js";
import { valueTouchesTools } from "./reaches.js";
import { opaque, reference, type Term, UNKNOWN, type Value } from "./values.js";

export const CALLS: ExpressionVisitors = {
  CallExpression(machine, node, awaited) {
    const { callee } = node;
    if (callee.type === "MemberExpression") return callMember(machine, { node, callee, awaited });
    const value = machine.evaluate(callee);
    return callValue(machine, value, { node, terms: evaluateArguments(machine, node.arguments), awaited });
  },
  NewExpression(machine, node) {
    const value = machine.evaluate(node.callee);
    const terms = evaluateArguments(machine, node.arguments);
    if (value.kind === "global" && value.name === "Date" && terms.length === 0) insist(machine, node, "the clock");
    for (const term of terms) handOn(machine, term, `new ${machine.code.slice(node.callee)}`);
    return mixed(machine, value, ...terms.map((term) => term.value));
  },
};

interface Call {
  readonly node: CallExpression;
  readonly terms: readonly Term[];
  readonly awaited: boolean;
}

interface MemberCall {
  readonly node: CallExpression;
  readonly callee: MemberExpression;
  readonly awaited: boolean;
}

function callMember(machine: Machine, call: MemberCall): Value {
  const { node, callee, awaited } = call;
  const method = callee.property.type === "Identifier" && !callee.computed ? callee.property.name : undefined;
  if (method !== undefined && isContinuation(method)) {
    const before = machine.evaluate(callee.object, awaited);
    return runContinuation(machine, {
      method,
      before,
      awaited,
      node,
      terms: evaluateArguments(machine, node.arguments),
    });
  }
  const receiver = machine.evaluate(callee.object);
  if (receiver.kind === "tool") return callThrough(machine, receiver, call);
  const value = memberOfExpression(machine, callee, receiver);
  if (isData(receiver) && !isCallable(value)) return callMethod(machine, { ...call, receiver, method });
  if (value.kind === "global" && isCombinator(value.name)) return combine(machine, value.name, call);
  return callValue(machine, value, { node, terms: evaluateArguments(machine, node.arguments), awaited });
}

function isData({ kind }: Value): boolean {
  return (
    kind === "reference" ||
    kind === "parameter" ||
    kind === "object" ||
    kind === "array" ||
    kind === "literal" ||
    kind === "opaque"
  );
}

/** `tool.call(this, input)` and its like: the tool is known, what it gets is not followed. */
function callThrough(machine: Machine, tool: Value & { kind: "tool" }, { node, awaited }: MemberCall): Value {
  const terms = evaluateArguments(machine, node.arguments);
  const { property } = node.callee as MemberExpression;
  if (property.type === "Identifier" && property.name === "bind") return tool;
  const input = opaque(...terms.map((term) => term.value));
  return callTool(machine, tool, { node, terms: [{ node, value: input }], awaited });
}

function callValue(machine: Machine, value: Value, call: Call): Value {
  switch (value.kind) {
    case "tool":
      return callTool(machine, value, call);
    case "capabilities":
      return callCapability(machine, value, call);
    case "function":
      return resultOf(machine, call, callFunction(machine, value.node, call));
    case "tools":
      throw notCallable(machine, value.server, call.node);
    case "global":
      return callGlobal(machine, value.name, call);
    default:
      return value.kind === "opaque" && value.tools
        ? callHidden(machine, value, call)
        : callUnknown(machine, call, [value]);
  }
}

function isCallable(value: Value): boolean {
  if (value.kind === "opaque") return value.tools !== undefined;
  return value.kind === "function" || value.kind === "tool" || value.kind === "tools" || value.kind === "capabilities";
}

/** One of several tools, or one that went through something that is not followed. */
function callHidden(machine: Machine, value: Value & { kind: "opaque" }, call: Call): Value {
  const [only = "*", ...others] = value.tools ?? [];
  release(machine, value);
  const computed = machine.code.slice(call.node.callee);
  return callTool(machine, { kind: "tool", id: others.length > 0 || only === "cap:*" ? "*" : only, computed }, call);
}

function notCallable(machine: Machine, server: string | undefined, node: CallExpression): Error {
  const what = server === undefined ? "mcp" : `mcp.${server}`;
  const example = server === undefined ? "mcp.server.name({ … })" : `${what}.name({ … })`;
  const message = `${what} is a namespace and cannot be called. Call a tool of it, as ${example}`;
  return machine.code.error("ANALYZER_NOT_CALLABLE", message, { offset: node.start });
}

/** What a local function gave, if the call was not waited for, is still on its way. */
function resultOf(machine: Machine, { node }: Call, value: Value): Value {
  machine.results.set(node, value);
  return value;
}

function callGlobal(machine: Machine, name: string, call: Call): Value {
  const [first, callback] = call.terms;
  const values = call.terms.map((term) => term.value);
  if (name === "Promise.resolve") return first?.value ?? UNKNOWN;
  if (name === "Array.from" && first && callback && valueTouchesTools(machine, callback.value)) {
    return runIteration(machine, { method: "map", over: first, callback, rest: [], awaited: call.awaited });
  }
  if (/^(Object|Reflect)\.(assign|define|set)/.test(name) && first) growFrom(machine, first.node, values.slice(1));
  if (isPureOperation(operationId(name)) && !values.some((value) => valueTouchesTools(machine, value))) {
    runPureCallbacks(machine, call.terms, opaque(first?.value ?? UNKNOWN));
    return addOperation(machine, { node: call.node, name, values });
  }
  if (/^(setTimeout|setInterval|Date\.now|Math\.random|Date)$/.test(name)) insist(machine, call.node, name);
  return callUnknown(machine, call, []);
}

/** What gives something else each time is no computation, wherever it stands. */
function insist(machine: Machine, node: AnyNode, name: string): void {
  machine.obstacles.push({ reason: `it uses ${name}`, line: lineOf(machine, node) });
}

function callMethod(machine: Machine, call: MemberCall & { receiver: Value; method: string | undefined }): Value {
  const { node, callee, receiver, method } = call;
  const terms = evaluateArguments(machine, node.arguments);
  const [callback, ...rest] = terms;
  const values = terms.map((term) => term.value);
  if (method === undefined) return callUnknown(machine, { node, terms, awaited: call.awaited }, [receiver]);
  if (isIteration(method) && callback && valueTouchesTools(machine, callback.value)) {
    const over = { node: callee.object, value: receiver };
    return runIteration(machine, {
      method,
      over,
      callback,
      rest: rest.map((term) => term.value),
      awaited: call.awaited,
    });
  }
  if (changesReceiver(method)) growFrom(machine, callee.object, values);
  const isPure = isPureOperation(operationId(method)) && !values.some((value) => valueTouchesTools(machine, value));
  if (!isPure) return callUnknown(machine, { node, terms, awaited: call.awaited }, [receiver]);
  for (const { value } of terms) if (value.kind === "function") shareElements(machine, value.node, callee.object);
  runPureCallbacks(machine, terms, opaque(receiver));
  return addOperation(machine, { node, name: method, values: [receiver, ...values] });
}

/** A callback that changes what it is given changes what the list holds. */
function shareElements(machine: Machine, { params }: FunctionNode, list: AnyNode): void {
  for (const param of params) shareWith(machine, param, list);
}

/** Follows what callbacks of a pure operation do with the elements. */
function runPureCallbacks(machine: Machine, terms: readonly Term[], element: Value): void {
  for (const { node, value } of terms) {
    if (value.kind !== "function") continue;
    keepConstants(machine, value.node);
    runQuietly(machine, value.node, [element, element]);
    const writes = machine.scopes.writesIn(value.node);
    const isOuter = writes.some(({ binding }) => binding.at < value.node.start || binding.at >= value.node.end);
    if (value.node.async || isOuter) obstruct(machine, node, "a callback does more than compute");
  }
}

function callUnknown(machine: Machine, { node, terms }: Call, others: readonly Value[]): Value {
  const values = terms.map((term) => term.value);
  for (const term of terms) handOn(machine, term, machine.code.slice(node.callee));
  return mixed(machine, ...others, ...values);
}

interface Operation {
  readonly node: CallExpression;
  /** As in `PURE_OPERATIONS`, without `code:`. */
  readonly name: string;
  readonly values: readonly Value[];
}

function addOperation(machine: Machine, { node, name, values }: Operation): Value {
  if (machine.quiet > 0) return opaque(...values);
  const tool = operationId(name);
  const id = machine.flow.id("n");
  const code = machine.code.slice(node);
  const closed = closeOver(machine, node);
  machine.flow.add({ id, type: "task", tool, pure: true, code, ...closed, line: lineOf(machine, node) });
  machine.sites.aim(machine.path, machine.sites.number("operation", node, tool), id);
  machine.results.set(node, reference(id));
  return reference(id);
}

function evaluateArguments(machine: Machine, nodes: readonly AnyNode[]): Term[] {
  return nodes.map((node) => {
    if (node.type !== "SpreadElement") return { node, value: machine.evaluate(node) };
    return { node: node.argument, value: mixed(machine, machine.evaluate(node.argument)) };
  });
}
