import type { AnyNode, Identifier } from "acorn";

import type { Binding } from "../parse/scope.js";

/** Where a name is read. */
export interface Use {
  readonly name: Identifier;
  readonly binding: Binding;
  /** From the program down to the name itself. */
  readonly ancestors: readonly AnyNode[];
}

export function groupByBinding<Thing>(
  things: readonly Thing[],
  bindingOf: (thing: Thing) => Binding | undefined,
): Map<Binding, Thing[]> {
  const groups = new Map<Binding, Thing[]>();
  for (const thing of things) {
    const binding = bindingOf(thing);
    const known = binding && groups.get(binding);
    if (known) known.push(thing);
    else if (binding) groups.set(binding, [thing]);
  }
  return groups;
}
