import type { Bundle } from "./bundle.js";

type Package = Bundle["packages"][number];

/**
 * What is called before what calls it, so that its names are there when it is replayed. Not by recursion: whoever makes a
 * bundle decides how long its chains are.
 */
export function sortByCalls(packages: readonly Package[]): Package[] {
  const byName = new Map(packages.map((each) => [each.content.name, each]));
  const sorted = new Set<Package>();
  const entered = new Set<Package>();
  const waiting = [...packages].reverse();
  for (let each = waiting.at(-1); each !== undefined; each = waiting.at(-1)) {
    if (entered.has(each)) {
      sorted.add(each);
      waiting.pop();
      continue;
    }
    entered.add(each);
    for (const called of listCalled(each)) {
      const inner = byName.get(called);
      if (inner !== undefined && !entered.has(inner)) waiting.push(inner);
    }
  }
  return [...sorted];
}

/** As the package claims; read anew, it may turn out otherwise. */
function listCalled({ content }: Package): string[] {
  const { capabilities } = (content.capability.permissions ?? {}) as { capabilities?: unknown };
  const called = Array.isArray(capabilities) ? (capabilities as unknown[]) : [];
  return called.flatMap((name) => (typeof name === "string" ? name.split("@", 1) : []));
}
