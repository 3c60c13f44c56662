import type { AnyNode } from "acorn";

/** How a place in the code reports what happens there. */
export type SiteKind =
  | "call"
  | "operation"
  | "decide"
  | "present"
  | "otherwise"
  | "switch"
  | "try"
  | "loop"
  | "function"
  | "bind";

export interface Site {
  readonly kind: SiteKind;
  readonly node: AnyNode;
  readonly number: number;
  /** Of an operation: its id. */
  readonly operation: string | undefined;
}

/**
 * Places that report to the probe. A place inside a function stands for another node in each call of it, so what a
 * place stands for depends on the scope: `""` for the snippet, and for each loop or call on the way in, its number and
 * a slash. `targets` says for scope and number which node it is, or, where a local function is called, the scope that
 * the call opens.
 */
export class Sites {
  readonly #sites = new Map<AnyNode, Site>();
  readonly targets: Map<string, string> = new Map();
  /** Links of an optional chain before its last: their value cannot be taken out without cutting the chain. */
  readonly chained: Set<AnyNode> = new Set();

  /** The number of a place, given out on first sight. */
  number(kind: SiteKind, node: AnyNode, operation?: string): number {
    let site = this.#sites.get(node);
    if (!site) {
      site = { kind, node, number: this.#sites.size + 1, operation };
      this.#sites.set(node, site);
    }
    return site.number;
  }

  aim(path: string, number: number, target: string): void {
    this.targets.set(path + number, target);
  }

  all(): Site[] {
    return [...this.#sites.values()];
  }
}
