import type { Catalog, PermissionSet } from "./catalog.js";

export interface Permissions {
  /** Every tool that may be called, sorted. */
  readonly tools: readonly string[];
  /** Every capability that may be called, sorted. What those call in turn is for core to resolve. */
  readonly capabilities: readonly string[];
  /** Where names are only known at run time: `server:*`, `*`, `cap:*`. Such a run needs approval. */
  readonly computed: readonly string[];
  /** Tools that the builder was not told of. Empty when it was told of none. */
  readonly unknown: readonly string[];
  /** The smallest set that covers all of it. */
  readonly set: PermissionSet;
}

const RANK: readonly PermissionSet[] = ["minimal", "standard", "privileged"];

/** Everything the code can get hold of, called or not: a tool handed on may be called by whoever has it. */
export class Reach {
  readonly #tools = new Set<string>();
  readonly #capabilities = new Set<string>();
  readonly #computed = new Set<string>();

  tool(id: string): void {
    this.#tools.add(id);
  }

  capability(name: string): void {
    this.#capabilities.add(name);
  }

  computed(pattern: string): void {
    this.#computed.add(pattern);
  }

  permissions(catalog: Catalog): Permissions {
    const tools = [...this.#tools].sort();
    const capabilities = [...this.#capabilities].sort();
    const computed = [...this.#computed].sort();
    const unknown = catalog.knowsTools() ? tools.filter((id) => !catalog.findTool(id)) : [];
    const needs = [
      ...tools.map((id) => neededFor(catalog, id)),
      ...capabilities.map((name) => catalog.findCapability(name)?.permissionSet ?? "standard"),
      ...computed.map((): PermissionSet => "privileged"),
    ];
    const set = RANK[Math.max(0, ...needs.map((need) => RANK.indexOf(need)))] as PermissionSet;
    return { tools, capabilities, computed, unknown, set };
  }
}

function neededFor(catalog: Catalog, id: string): PermissionSet {
  const annotations = catalog.findTool(id)?.annotations;
  if (annotations?.destructiveHint) return "privileged";
  return annotations?.readOnlyHint ? "minimal" : "standard";
}
