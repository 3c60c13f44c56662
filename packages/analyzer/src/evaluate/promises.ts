import type { CallExpression } from "acorn";

import type { ForkMode } from "../structure.js";
import { runCallback } from "./callbacks.js";
import { lineOf, type Machine, mixed, obstruct } from "./machine.js";
import { opaque, sourcesOf, type Term, UNKNOWN, type Value } from "./values.js";

const COMBINATORS: Readonly<Record<string, ForkMode>> = {
  "Promise.all": "all",
  "Promise.allSettled": "allSettled",
  "Promise.race": "race",
  "Promise.any": "any",
};

export function isCombinator(name: string): boolean {
  return Object.hasOwn(COMBINATORS, name);
}

/** `Promise.all([…])` and its like: each element is started here; awaiting the whole joins them. */
export function combine(machine: Machine, name: string, { node }: { node: CallExpression }): Value {
  const mode = COMBINATORS[name] as ForkMode;
  const [argument, ...others] = node.arguments;
  if (!argument || argument.type === "SpreadElement" || others.length > 0) return UNKNOWN;
  const line = lineOf(machine, node);
  const start = (run: () => Value): Value => (machine.quiet > 0 ? run() : machine.flow.start(mode, line, run));
  const isList =
    argument.type === "ArrayExpression" && argument.elements.every((element) => element?.type !== "SpreadElement");
  if (!isList)
    return settle(
      mode,
      start(() => machine.evaluate(argument, true)),
    );
  const items = argument.elements.flatMap((element): Term[] => {
    return element ? [{ node: element, value: start(() => machine.evaluate(element, true)) }] : [];
  });
  return settle(mode, { kind: "array", items });
}

function settle(mode: ForkMode, value: Value): Value {
  if (mode === "race" || mode === "any") return opaque(value);
  if (mode === "all") return value;
  if (value.kind !== "array") return opaque(value);
  return {
    kind: "array",
    items: value.items.map(({ node, value: item }) => ({ node, value: settled({ node, value: item }) })),
  };
}

/** What `allSettled` makes of a result. */
function settled({ node, value }: Term): Value {
  const unsure = { node, value: opaque(value) };
  const fields = new Map([
    ["status", unsure],
    ["value", { node, value }],
    ["reason", unsure],
  ]);
  return { kind: "object", fields, spreads: [] };
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
export function runContinuation(machine: Machine, { method, before, awaited, node, terms }: Continuation): Value {
  if (method !== "then" || terms.length > 1) obstruct(machine, node, `it uses .${method}() to handle what may fail`);
  const given = method === "then" ? [before] : [];
  const run = (): Value => {
    const values = terms.map((term) => runCallback(machine, term, given));
    if (method === "finally") return before;
    return method === "then" && values.length === 1 ? (values[0] ?? UNKNOWN) : mixed(machine, before, ...values);
  };
  if (machine.quiet > 0) return run();
  const line = lineOf(machine, node);
  if (!awaited) return machine.flow.continueStarted(sourcesOf(before), line, run);
  machine.flow.join(sourcesOf(before), line);
  return run();
}
