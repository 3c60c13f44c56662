import type { AnyNode } from "acorn";

import type { ForkMode } from "../structure.js";
import { lineOf, type Machine } from "./machine.js";
import { opaque, sourcesOf, type Value } from "./values.js";

/** Starts work beside what follows. Whoever waits for the value waits for the work, even if the value is nothing. */
export function startWork(
  machine: Machine,
  { mode, node, run }: { mode: ForkMode; node: AnyNode; run: () => Value },
): Value {
  if (machine.quiet > 0) return run();
  const { result, work } = machine.flow.start(mode, lineOf(machine, node), run);
  if (work === undefined || machine.flow.isWaitedFor(work, sourcesOf(result))) return result;
  return opaque(result, { kind: "opaque", sources: new Set([work]) });
}
