import type { AnyNode } from "acorn";

import { addTask } from "./calls-of-tools.js";
import { describe } from "./describe.js";
import { giveAgain, markCalled, runFunction, runQuietly, scopeOf } from "./functions.js";
import { type Loop, runLoop } from "./loop.js";
import { loseSight, type Machine, mixed, obstruct } from "./machine.js";
import { touchesTools, valueTouchesTools } from "./reaches.js";
import { opaque, reachesTools, reference, type Term, UNKNOWN, type Value } from "./values.js";
import { startWork } from "./work.js";

export const UNSEEN_CALL = "what calls tools is called out of sight, and what it is given is not known";

/** Methods that call their first argument for each element, and which parameter gets the element. */
const ELEMENT_PARAMETER: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    "every filter find findIndex findLast findLastIndex flatMap forEach map some".split(" ").map((name) => [name, 0]),
  ),
  reduce: 1,
  reduceRight: 1,
};

export function isIteration(method: string): boolean {
  return Object.hasOwn(ELEMENT_PARAMETER, method);
}

export interface Iteration {
  readonly method: string;
  readonly over: Term;
  readonly callback: Term;
  /** What else is given: the start of a `reduce`. */
  readonly rest: readonly Value[];
  /** Whoever called waits for all of it. */
  readonly awaited: boolean;
}

/** `items.map(async (item) => mcp…)`: a loop over the items, whose iterations overlap unless each waits for the last. */
export function runIteration(machine: Machine, iteration: Iteration): Value {
  const { callback, awaited } = iteration;
  if (machine.quiet > 0 || awaited || isReduction(iteration)) return iterate(machine, iteration);
  return startWork(machine, { mode: "started", node: callback.node, run: () => iterate(machine, iteration) });
}

function iterate(machine: Machine, iteration: Iteration): Value {
  const { method, over, callback, rest } = iteration;
  const condition = machine.code.slice(over.node);
  const loop: Loop = { node: callback.node, kind: "callback", condition, over, concurrent: !isReduction(iteration) };
  noteOtherParameters(machine, iteration);
  let returned: Value = UNKNOWN;
  const id = runLoop(machine, loop, (loopId) => {
    const accumulator = isReduction(iteration) ? [opaque(...rest)] : [];
    returned = runCallback(machine, callback, [...accumulator, elementOf(over, loopId)]);
    if (method === "map" && loopId !== "")
      machine.collected.set(loopId, describe(machine, { node: callback.node, value: returned }));
  });
  if (id === undefined) return opaque(over.value, returned, ...rest);
  if (method === "forEach") return UNKNOWN;
  return method === "map" ? reference(id) : opaque(over.value, returned, reference(id), ...rest);
}

/** The number of an element says nothing; the key of a map's may, and so may the whole list. */
function noteOtherParameters(machine: Machine, { method, callback: { node, value } }: Iteration): void {
  const seen = (ELEMENT_PARAMETER[method] ?? 0) + (method === "forEach" ? 1 : 2);
  if (value.kind === "function" && value.node.params.length > seen) loseSight(machine, node, UNSEEN_CALL);
}

function isReduction({ method }: Iteration): boolean {
  return ELEMENT_PARAMETER[method] === 1;
}

/** Runs a function, or a tool, that somebody else calls with these values. */
export function runCallback(machine: Machine, { node, value }: Term, values: readonly Value[]): Value {
  if (value.kind === "function") {
    if (machine.active.includes(value.node)) return runAgain(machine, { node, value }, values);
    if (!touchesTools(machine, value.node) && !values.some((each) => valueTouchesTools(machine, each))) {
      return runQuietly(machine, value.node, values);
    }
    markCalled(machine, value.node);
    const path = scopeOf(machine, machine.path + announced(machine, node, value.node), value.node);
    if (node !== value.node) machine.sites.aim(machine.path, machine.sites.number("bind", node), path);
    return runFunction(machine, value.node, { values, path, awaited: true });
  }
  if (value.kind !== "tool" || machine.quiet > 0) return opaque(...values);
  const input = values[0] && { node, value: values[0] };
  const id = addTask(machine, { node, tool: value, input });
  machine.sites.aim(machine.path, machine.sites.number("bind", node), id);
  return reference(id);
}

/** A function or tool goes where it cannot be followed: it may be called any number of times, or never. */
export function handOn(machine: Machine, term: Term, how: string): void {
  if (!valueTouchesTools(machine, term.value)) {
    if (term.value.kind === "function") runQuietly(machine, term.value.node, []);
    return;
  }
  obstruct(machine, term.node, `a function that calls tools is handed to ${how}`);
  if (term.value.kind !== "function" || term.value.node.params.length > 0) loseSight(machine, term.node, UNSEEN_CALL);
  runLoop(machine, { node: term.node, kind: "deferred", condition: machine.code.slice(term.node) }, () => {
    mixed(machine, runCallback(machine, term, []));
  });
}

/** What an iteration works on. Tools among the elements stay in sight. */
export function elementOf({ value }: Term, loop: string): Value {
  return loop === "" || reachesTools(value) ? opaque(value) : reference(loop);
}

/** A function that is being run is called once more: its nodes are there already. */
function runAgain(
  machine: Machine,
  { node, value }: Term & { value: Value & { kind: "function" } },
  values: readonly Value[],
): Value {
  const path = machine.activePaths.get(value.node);
  if (machine.quiet === 0 && path !== undefined && node !== value.node) {
    machine.sites.aim(machine.path, machine.sites.number("bind", node), path);
  }
  return giveAgain(machine, value.node, values);
}

/** A function written in place finds its scope by itself; one that is named has to be told. */
function announced(machine: Machine, node: AnyNode, callback: AnyNode): string {
  return node === callback ? "" : String(machine.sites.number("bind", node));
}
