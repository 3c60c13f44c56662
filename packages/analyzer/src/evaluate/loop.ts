import type { AnyNode } from "acorn";

import type { Binding } from "../parse/scope.js";
import type { LoopKind, LoopNode } from "../structure.js";
import { forgetWrites } from "./assign.js";
import { describe } from "./describe.js";
import { lineOf, type Machine, quietly } from "./machine.js";
import { NO_SOURCES, opaque, sourcesOf, type Term, UNKNOWN } from "./values.js";

export interface Loop {
  /** What is repeated, and where the instrumented code counts. */
  readonly node: AnyNode;
  readonly kind: LoopKind;
  readonly condition: string;
  readonly over?: Term;
  readonly concurrent?: boolean;
  /** Names declared in here are new in each iteration. Default: the node itself. */
  readonly body?: AnyNode;
}

/** Runs `body` as what may happen any number of times. Returns the loop's id, if there is anything in it. */
export function runLoop(machine: Machine, loop: Loop, body: (id: string) => void): string | undefined {
  let kept: string | undefined;
  const once = (): boolean => {
    const marks = carryOver(machine, loop);
    kept = machine.quiet > 0 ? undefined : addLoop(machine, loop, body);
    // Nothing happens in it: only the values count, and there is no loop that they could name.
    if (kept === undefined) quietly(machine, () => body(""));
    for (const [mark, binding] of marks) {
      machine.carried.set(mark, sourcesOf(machine.environment.get(binding) ?? UNKNOWN));
    }
    return true;
  };
  machine.environment.branch([once, () => true]);
  forgetWrites(machine, loop.node);
  return kept;
}

function addLoop(
  machine: Machine,
  { node, kind, condition, over, concurrent }: Loop,
  body: (id: string) => void,
): string | undefined {
  const described = over && describe(machine, over);
  const id = machine.flow.id("l");
  if (over) machine.lists.set(id, over.value);
  const more = { ...(described && { over: described }), ...(concurrent && { concurrent }) };
  const loop: LoopNode = { id, type: "loop", kind, condition, ...more, line: lineOf(machine, node) };
  if (machine.environment.attempt(() => machine.flow.loop(loop, () => body(id)))) return id;
  for (const [mark, sources] of machine.carried) {
    if (sources.has(id)) machine.carried.set(mark, new Set([...sources].filter((source) => source !== id)));
  }
  return undefined;
}

/** What an iteration changes, the next one may find: until the body has been seen, a mark stands for that. */
function carryOver(machine: Machine, { node, body = node }: Loop): Map<string, Binding> {
  const marks = new Map<string, Binding>();
  const seen = new Set<Binding>();
  for (const { binding } of machine.scopes.writesIn(node)) {
    if ((body.start <= binding.at && binding.at < body.end) || seen.has(binding)) continue;
    seen.add(binding);
    const mark = reserveMark(machine);
    marks.set(mark, binding);
    const before = machine.environment.get(binding) ?? UNKNOWN;
    machine.environment.set(binding, opaque(before, { kind: "opaque", sources: new Set([mark]) }));
  }
  return marks;
}

export function reserveMark({ carried }: Machine): string {
  const mark = `~${carried.size + 1}`;
  carried.set(mark, NO_SOURCES);
  return mark;
}
