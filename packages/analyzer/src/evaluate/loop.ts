import type { AnyNode } from "acorn";

import type { Binding } from "../parse/scope.js";
import type { LoopKind } from "../structure.js";
import { describe } from "./describe.js";
import { lineOf, type Machine } from "./machine.js";
import { NO_SOURCES, opaque, sourcesOf, type Term, UNKNOWN } from "./values.js";

export interface Loop {
  /** What is repeated, and where the instrumented code counts. */
  readonly node: AnyNode;
  readonly kind: LoopKind;
  readonly condition: string;
  readonly over?: Term;
  readonly concurrent?: boolean;
}

/** Runs `body` as what may happen any number of times. Returns the loop's id, if there is anything in it. */
export function runLoop(machine: Machine, loop: Loop, body: (id: string) => void): string | undefined {
  let kept: string | undefined;
  const once = (): boolean => {
    const marks = carryOver(machine, loop.node);
    kept = machine.quiet > 0 ? (body(""), undefined) : addLoop(machine, loop, body);
    for (const [mark, binding] of marks) {
      machine.carried.set(mark, sourcesOf(machine.environment.get(binding) ?? UNKNOWN));
    }
    return true;
  };
  machine.environment.branch([once, () => true]);
  return kept;
}

function addLoop(
  machine: Machine,
  { node, kind, condition, over, concurrent }: Loop,
  body: (id: string) => void,
): string | undefined {
  const described = over && describe(machine, over);
  const id = machine.flow.id("l");
  const holdsSomething = machine.flow.loop(
    {
      id,
      type: "loop",
      kind,
      condition,
      ...(described && { over: described }),
      ...(concurrent && { concurrent }),
      line: lineOf(machine, node),
    },
    () => body(id),
  );
  return holdsSomething ? id : undefined;
}

/** What an iteration changes, the next one may find: until the body has been seen, a mark stands for that. */
function carryOver(machine: Machine, { start, end }: AnyNode): Map<string, Binding> {
  const marks = new Map<string, Binding>();
  for (const { binding } of machine.scopes.writesIn({ start, end })) {
    if ((start <= binding.at && binding.at < end) || [...marks.values()].includes(binding)) continue;
    const mark = `~${machine.carried.size + 1}`;
    machine.carried.set(mark, NO_SOURCES);
    marks.set(mark, binding);
    const before = machine.environment.get(binding) ?? UNKNOWN;
    machine.environment.set(binding, opaque(before, { kind: "opaque", sources: new Set([mark]) }));
  }
  return marks;
}
