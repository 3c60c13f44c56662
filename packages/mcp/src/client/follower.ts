import type { Logger, Pml, Tool } from "@pml/core";

import type { Connection } from "./connection.js";

/** Keeps the tools of a memory as the servers have them. */
export class Follower {
  readonly #pml: Pick<Pml, "tools" | "store">;
  readonly #logger: Logger | undefined;
  /** Ids that came from each connection. */
  readonly #given = new Map<Connection, Set<string>>();
  /** Those whose tools are marked as not available. */
  readonly #away = new Set<Connection>();
  /** One change after the other: a list that is old by now must not come after a new one. */
  #queue: Promise<void> = Promise.resolve();

  constructor(pml: Pick<Pml, "tools" | "store">, logger: Logger | undefined) {
    this.#pml = pml;
    this.#logger = logger;
  }

  /** Never rejects: a memory that is being closed is no reason to lose the servers. */
  update(connection: Connection): Promise<void> {
    this.#queue = this.#queue
      .then(() => this.#apply(connection))
      .catch((error: Error) => {
        this.#logger?.warn(`The tools of ${connection.id} could not be brought up to date.`, { reason: error.message });
      });
    return this.#queue;
  }

  async #apply(connection: Connection): Promise<void> {
    const { tools, store } = this.#pml;
    const before = this.#given.get(connection) ?? new Set<string>();
    const now = new Map(connection.tools.map((tool) => [tool.id, tool]));
    this.#given.set(connection, new Set(now.keys()));
    for (const id of before) if (!now.has(id) && tools.find(id) !== undefined) await tools.remove(id);
    const isHere = (tool: Tool): boolean =>
      tools.find(tool.id) === tool || (before.has(tool.id) && isSame(tool, tools.find(tool.id)));
    await this.#put([...now.values()].filter((tool) => !isHere(tool)));
    const available = connection.state === "connected";
    if (available !== !this.#away.has(connection))
      for (const id of now.keys()) if (tools.find(id) !== undefined) await store.setToolAvailable(id, available);
    if (available) this.#away.delete(connection);
    else this.#away.add(connection);
  }

  async #put(changed: readonly Tool[]): Promise<void> {
    if (changed.length === 0) return;
    try {
      await this.#pml.tools.add(...changed);
    } catch {
      for (const tool of changed) await this.#putAlone(tool);
    }
  }

  /** One tool that cannot be used keeps the others out no more than itself. */
  async #putAlone(tool: Tool): Promise<void> {
    try {
      await this.#pml.tools.add(tool);
    } catch (error) {
      this.#logger?.warn(`The tool ${tool.id} cannot be used.`, { reason: (error as Error).message });
    }
  }
}

/** A server that came back has new functions for the same tools; those of before call it all the same. */
function isSame(tool: Tool, other: Tool | undefined): boolean {
  return other !== undefined && describe(tool) === describe(other);
}

function describe(tool: Tool): string {
  const { execute: _, ...described } = tool;
  return JSON.stringify(described);
}
