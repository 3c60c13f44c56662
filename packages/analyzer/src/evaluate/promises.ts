import type { AnyNode, CallExpression } from "acorn";

import type { ForkMode } from "../structure.js";
import { runCallback, UNSEEN_CALL } from "./callbacks.js";
import { branch } from "./decisions.js";
import { lineOf, loseSight, type Machine, mixed, obstruct } from "./machine.js";
import { valueTouchesTools } from "./reaches.js";
import { arrayOf, objectOf, opaque, sourcesOf, type Term, UNKNOWN, type Value } from "./values.js";
import { startWork } from "./work.js";

const COMBINATORS: Readonly<Record<string, ForkMode>> = {
  "Promise.all": "all",
  "Promise.allSettled": "allSettled",
  "Promise.race": "race",
  "Promise.any": "any",
};

export function isCombinator(name: string): boolean {
  return Object.hasOwn(COMBINATORS, name);
}

/** `Promise.all([…])` and its like: each element is started here; waiting for the whole joins them. */
export function combine(machine: Machine, name: string, call: { node: CallExpression; awaited: boolean }): Value {
  const mode = COMBINATORS[name] as ForkMode;
  const { node } = call;
  const [argument] = node.arguments;
  if (!argument) return UNKNOWN;
  const start = (element: AnyNode): Value => {
    return startWork(machine, { mode, node, run: () => machine.evaluate(element, true) });
  };
  const value = settle(
    mode,
    argument.type === "ArrayExpression" ? startEach(argument.elements, start) : start(argument),
  );
  if (call.awaited && machine.quiet === 0) machine.flow.join(sourcesOf(value), lineOf(machine, node));
  return value;
}

function startEach(elements: readonly (AnyNode | null)[], start: (element: AnyNode) => Value): Value {
  const items: Term[] = [];
  let rest: Value | undefined;
  for (const element of elements) {
    if (element?.type === "SpreadElement") {
      const spread = start(element.argument);
      if (spread.kind === "array") items.push(...spread.items);
      else rest = opaque(rest ?? UNKNOWN, spread);
    } else if (element) items.push({ node: element, value: start(element) });
  }
  return rest ? opaque(rest, ...items.map((item) => item.value)) : arrayOf(items);
}

function settle(mode: ForkMode, value: Value): Value {
  if (mode === "race" || mode === "any") return opaque(value);
  if (mode === "all") return value;
  return value.kind === "array"
    ? arrayOf(value.items.map(({ node, value: item }) => ({ node, value: settled({ node, value: item }) })))
    : opaque(value);
}

/** What `allSettled` makes of a result. */
function settled({ node, value }: Term): Value {
  const unsure = { node, value: opaque(value) };
  return objectOf(
    new Map([
      ["status", unsure],
      ["value", { node, value }],
      ["reason", unsure],
    ]),
    [],
  );
}

export function isContinuation(method: string): boolean {
  return method === "then" || method === "catch" || method === "finally";
}

export interface Continuation {
  readonly method: string;
  readonly before: Value;
  readonly awaited: boolean;
  readonly node: CallExpression;
  readonly terms: readonly Term[];
}

/** `promise.then(…)`: what follows in the work that was started, or here when it is waited for. */
export function runContinuation(machine: Machine, continuation: Continuation): Value {
  const { method, before, awaited, node, terms } = continuation;
  if (method !== "then" || terms.length > 1) obstruct(machine, node, `it uses .${method}() to handle what may fail`);
  const run = (): Value =>
    method === "finally"
      ? (terms.forEach((term) => runCallback(machine, term, [])), before)
      : settleBoth(machine, continuation);
  if (machine.quiet > 0) return run();
  const line = lineOf(machine, node);
  if (!awaited) return machine.flow.continueStarted(sourcesOf(before), line, run);
  machine.flow.join(sourcesOf(before), line);
  return run();
}

function settleBoth(machine: Machine, { method, before, node, terms }: Continuation): Value {
  const [succeeded, failed] = method === "then" ? terms : [undefined, terms[0]];
  const value = succeeded ? runCallback(machine, succeeded, [before]) : before;
  if (!failed) return value;
  if (machine.quiet > 0 || !valueTouchesTools(machine, failed.value))
    return mixed(machine, value, runCallback(machine, failed, []));
  const handler = failed.value.kind === "function" ? failed.value.node : undefined;
  if (handler === undefined || handler.params.length > 0) loseSight(machine, node, UNSEEN_CALL);
  const condition = machine.code.slice(failed.node);
  const id = machine.flow.add({
    id: machine.flow.id("d"),
    type: "decision",
    kind: "catch",
    condition,
    outcomes: ["ok", "error"],
    line: lineOf(machine, node),
  });
  let other = UNKNOWN;
  branch(machine, id, [
    { outcome: "ok", run: () => {} },
    { outcome: "error", run: () => void (other = runCallback(machine, failed, [])) },
  ]);
  return mixed(machine, value, other);
}
