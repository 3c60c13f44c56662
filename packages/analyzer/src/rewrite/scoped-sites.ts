import type { AnyNode } from "acorn";

import { RESERVED_PREFIX } from "../globals.js";
import type { Site, Sites } from "./sites.js";

/** A site that takes part, with the variable that holds the scope it stands in. */
export interface ScopedSite extends Site {
  readonly probe: string;
  /** Inside an optional chain, where its value cannot be taken out. */
  readonly chained: boolean;
}

interface Placed {
  readonly site: Site;
  /** Innermost loop or function whose body it stands in. */
  readonly parent: Placed | undefined;
}

/**
 * Sites that report something, with their scopes. A loop or function that nothing inside reports from needs no scope,
 * and a call of such a function need not be announced.
 */
export function findScopes(sites: Sites): ScopedSite[] {
  const all = sites.all();
  const scoped = ({ site, parent }: Placed): ScopedSite => {
    const { kind, node, number, operation } = site;
    return { kind, node, number, operation, probe: variableOf(parent), chained: sites.chained.has(node) };
  };
  if (!all.some(isScope)) return all.map((site) => scoped({ site, parent: undefined }));
  const placed = place(all);
  const callees = calleesOf(sites.targets);
  const used = new Set<Placed>();
  const numbers = new Set<number>();
  const isReady = ({ site }: Placed): boolean => {
    const functions = callees.get(site.number);
    return !functions || [...functions].some((number) => numbers.has(number));
  };
  let waiting = placed.filter(({ site }) => !isScope(site));
  for (let ready = waiting.filter(isReady); ready.length > 0; ready = waiting.filter(isReady)) {
    for (const each of ready) {
      for (let at: Placed | undefined = each; at && !used.has(at); at = at.parent) {
        used.add(at);
        numbers.add(at.site.number);
      }
    }
    waiting = waiting.filter((each) => !used.has(each));
  }
  return placed.filter((each) => used.has(each)).map(scoped);
}

function variableOf(scope: Placed | undefined): string {
  return scope ? `${RESERVED_PREFIX}${scope.site.number}` : RESERVED_PREFIX;
}

function isScope({ kind }: Site): boolean {
  return kind === "loop" || kind === "function";
}

/** In source order, each below the innermost scope it stands in. */
function place(sites: readonly Site[]): Placed[] {
  const sorted = [...sites].sort(
    (a, b) => a.node.start - b.node.start || b.node.end - a.node.end || b.number - a.number,
  );
  const scopes: Placed[] = [];
  return sorted.map((site) => {
    while (scopes.length > 0 && (scopes.at(-1) as Placed).site.node.end <= site.node.start) scopes.pop();
    const parent = scopes.findLast((scope) => bodyOf(scope.site.node).start <= site.node.start);
    const placed: Placed = { site, parent };
    if (isScope(site)) scopes.push(placed);
    return placed;
  });
}

function bodyOf(node: AnyNode): AnyNode {
  return (node as AnyNode & { body: AnyNode }).body;
}

/** For each site that calls local functions, their numbers; none for one that calls something else as well. */
function calleesOf(targets: ReadonlyMap<string, string>): Map<number, Set<number>> {
  const callees = new Map<number, Set<number>>();
  if (![...targets.values()].some((target) => target.endsWith("/"))) return callees;
  const others = new Set<number>();
  for (const [key, target] of targets) {
    const number = Number(/\d+$/.exec(key)?.[0]);
    const callee = /:(\d+)\/$/.exec(target)?.[1];
    if (callee === undefined) others.add(number);
    else callees.set(number, (callees.get(number) ?? new Set()).add(Number(callee)));
  }
  for (const number of others) callees.delete(number);
  return callees;
}
