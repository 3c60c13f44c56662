import type { AnyNode, CallExpression } from "acorn";

import type { AnalyzerError } from "../error.js";
import type { FunctionNode } from "../parse/scope.js";
import { assign, forgetWrites, shareWith } from "./assign.js";
import { distinct } from "./flow.js";
import { reserveMark, runLoop } from "./loop.js";
import { inScope, loseSight, type Machine, mixed, quietly, type Returns } from "./machine.js";
import { lookUp } from "./names.js";
import { isRecursive, touchesTools, valueTouchesTools } from "./reaches.js";
import { ABSENT, either, NO_SOURCES, opaque, sourcesOf, type Term, union, UNKNOWN, type Value } from "./values.js";
import { startWork } from "./work.js";

const MOST_CALLS = 20_000;
/** How deep calls are followed for the sake of their value alone. */
const DEEPEST_QUIET_CALL = 4;

export interface FunctionCall {
  readonly node: CallExpression;
  readonly terms: readonly Term[];
  readonly awaited: boolean;
}

/** A function as a value. */
export function noteFunction(machine: Machine, node: FunctionNode): Value {
  if (!machine.functions.has(node)) {
    const path = machine.definitions.get(node) ?? machine.path;
    machine.functions.set(node, { path, point: machine.flow.here(), called: false });
  }
  return { kind: "function", node };
}

/** Follows a call into a local function, as if its body stood here. */
export function callFunction(machine: Machine, node: FunctionNode, call: FunctionCall): Value {
  markCalled(machine, node);
  const values = valuesFor(node, call);
  node.params.forEach((param, index) => {
    const given = call.terms[index];
    if (given) shareWith(machine, param, given.node);
  });
  if (machine.active.includes(node)) return callAgain(machine, node, call);
  const touches = touchesTools(machine, node) || values.some((value) => valueTouchesTools(machine, value));
  if (machine.quiet > 0 || !touches) return runQuietly(machine, node, values);
  if (node.generator) return callGenerator(machine, node, values);
  const number = machine.sites.number("call", call.node);
  const path = scopeOf(machine, `${machine.path}${number}`, node);
  machine.sites.aim(machine.path, number, path);
  const run = (): Value => runFunction(machine, node, { values, path, awaited: call.awaited || node.async });
  if (!node.async || call.awaited) return run();
  blurOutside(machine, node);
  return startWork(machine, { mode: "started", node: call.node, run });
}

/** What a function uses from outside may change while it goes on beside what follows. */
function blurOutside(machine: Machine, node: FunctionNode): void {
  for (const name of machine.scopes.referencesIn(node)) {
    const binding = machine.scopes.bindingOf(name);
    const isOuter = binding !== undefined && (binding.at < node.start || binding.at >= node.end);
    if (isOuter && binding.reassigned) machine.environment.set(binding, opaque(lookUp(machine, name)));
  }
}

/** What each parameter gets. From a spread on, that may be anything in it. */
function valuesFor({ params }: FunctionNode, { node, terms }: FunctionCall): readonly Value[] {
  const spread = node.arguments.findIndex(({ type }) => type === "SpreadElement");
  const values = terms.map((term) => term.value);
  if (spread === -1) return values;
  const rest = opaque(...values.slice(spread));
  return [...values.slice(0, spread), ...params.slice(spread).map(() => rest)];
}

/** Path of the scope that a call of `node` opens; the probe knows by its ending which function it is meant for. */
export function scopeOf(machine: Machine, prefix: string, node: FunctionNode): string {
  return `${prefix}:${machine.sites.number("function", node)}/`;
}

export function markCalled(machine: Machine, node: FunctionNode): void {
  const seen = machine.functions.get(node);
  if (seen) seen.called = true;
}

interface Run {
  readonly values: readonly Value[];
  /** Scope of the instrumented code. */
  readonly path: string;
  /** Whoever called waits for the result. */
  readonly awaited: boolean;
}

/** Runs the body on these values. What may run again before it returns stands in a loop. */
export function runFunction(machine: Machine, node: FunctionNode, run: Run): Value {
  if (++machine.calls > MOST_CALLS) throw tooComplex(machine, node);
  if (machine.quiet > 0 || !isRecursive(machine, node)) return runBody(machine, node, run);
  let value = UNKNOWN;
  const condition = node.type === "ArrowFunctionExpression" ? "" : (node.id?.name ?? "");
  const marks = node.params.map(() => reserveMark(machine));
  machine.recursive.set(node, marks);
  runLoop(machine, { node, kind: "recursion", condition }, () => {
    const values = marks.map((mark, index) =>
      opaque(run.values[index] ?? UNKNOWN, { kind: "opaque", sources: new Set([mark]) }),
    );
    value = runBody(machine, node, { ...run, values });
  });
  return opaque(value);
}

/** Follows the values through code that calls no tool. */
export function runQuietly(machine: Machine, node: FunctionNode, values: readonly Value[]): Value {
  markCalled(machine, node);
  if (machine.active.length >= DEEPEST_QUIET_CALL || machine.active.includes(node)) {
    loseSight(machine, node, "a function is called too deep to follow");
    return opaque(...values);
  }
  return quietly(machine, () => runFunction(machine, node, { values, path: machine.path, awaited: true }));
}

/**
 * The body of a generator runs when its values are asked for, so which call it belongs to cannot be told: all calls share
 * the nodes of the first.
 */
function callGenerator(machine: Machine, node: FunctionNode, values: readonly Value[]): Value {
  const path = scopeOf(machine, machine.functions.get(node)?.path ?? machine.path, node);
  if (machine.generators.has(node)) return opaque(...values);
  machine.generators.add(node);
  const { flow } = machine;
  const { guard } = flow;
  flow.guard = [];
  const value = runFunction(machine, node, { values, path, awaited: true });
  flow.guard = guard;
  return opaque(value);
}

/** A call of a function that is being run: its nodes are there already. */
function callAgain(machine: Machine, node: FunctionNode, { node: call, terms }: FunctionCall): Value {
  const path = machine.activePaths.get(node);
  if (machine.quiet === 0 && path !== undefined) {
    machine.sites.aim(machine.path, machine.sites.number("call", call), path);
  }
  return giveAgain(machine, node, valuesFor(node, { node: call, terms, awaited: true }));
}

/** What a later call gives to the parameters, the first one finds there as well. */
export function giveAgain(machine: Machine, node: FunctionNode, values: readonly Value[]): Value {
  machine.recursive.get(node)?.forEach((mark, index) => {
    const known = machine.carried.get(mark) ?? NO_SOURCES;
    machine.carried.set(mark, union([known, sourcesOf(values[index] ?? UNKNOWN)]));
  });
  return mixed(machine, ...values);
}

function runBody(machine: Machine, node: FunctionNode, { values, path, awaited }: Run): Value {
  bindParameters(machine, node, values);
  const returns: Returns = { values: [], points: [], awaited };
  const { guard } = machine.flow;
  const before = machine.activePaths.get(node);
  machine.active.push(node);
  machine.activePaths.set(node, path);
  const outer = machine.returns;
  machine.returns = returns;
  inScope(machine, path, () => runStatements(machine, node.body, returns));
  machine.returns = outer;
  machine.active.pop();
  if (before === undefined) machine.activePaths.delete(node);
  else machine.activePaths.set(node, before);
  const { flow } = machine;
  if (flow.dead && returns.points.length === 0) return UNKNOWN;
  if (!flow.dead && !node.expression) returns.values.push(ABSENT);
  const points = flow.dead ? returns.points : [...returns.points, flow.here()];
  if (returns.points.length > 0) forgetWrites(machine, node);
  flow.moveTo({ frontier: distinct(points.flatMap((point) => point.frontier)), guard });
  return either(returns.values);
}

function runStatements(machine: Machine, body: AnyNode, returns: Returns): void {
  if (body.type === "BlockStatement") machine.execute(body);
  else returns.values.push(machine.evaluate(body, returns.awaited));
}

function bindParameters(machine: Machine, node: FunctionNode, values: readonly Value[]): void {
  if (machine.scopes.usesArguments(node)) mixed(machine, ...values);
  node.params.forEach((param, index) => {
    if (param.type === "RestElement") assign(machine, param.argument, opaque(...values.slice(index)));
    else assign(machine, param, values[index] ?? ABSENT);
  });
}

function tooComplex({ code }: Machine, node: FunctionNode): AnalyzerError {
  const message = `Following the calls of local functions takes more than ${MOST_CALLS} steps. Write the code with fewer calls`;
  return code.error("ANALYZER_TOO_COMPLEX", message, { offset: node.start });
}
