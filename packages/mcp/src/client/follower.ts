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
    const { tools } = this.#pml;
    const before = this.#given.get(connection) ?? new Set<string>();
    const now = new Map(connection.tools.map((tool) => [tool.id, tool]));
    this.#given.set(connection, new Set(now.keys()));
    const gone = [...before].filter((id) => !now.has(id) && tools.find(id) !== undefined);
    for (const id of gone) await tools.remove(id);
    const isHere = (tool: Tool): boolean =>
      tools.find(tool.id) === tool || (before.has(tool.id) && isSame(tool, tools.find(tool.id)));
    const changed = [...now.values()].filter((tool) => !isHere(tool));
    await this.#put(changed);
    await this.#markAway(connection, gone.length + changed.length > 0);
  }

  /** Whatever is added or removed makes the memory take all its tools to be there. */
  async #markAway(connection: Connection, hasChanged: boolean): Promise<void> {
    const isHere = connection.state === "connected";
    const isBack = isHere && this.#away.delete(connection);
    if (isBack) await this.#setAvailable(connection, true);
    if (!isHere) this.#away.add(connection);
    const affected = hasChanged ? this.#away : isHere ? [] : [connection];
    for (const each of affected) await this.#setAvailable(each, false);
  }

  async #setAvailable(connection: Connection, available: boolean): Promise<void> {
    const { tools, store } = this.#pml;
    for (const id of this.#given.get(connection) ?? [])
      if (tools.find(id) !== undefined) await store.setToolAvailable(id, available);
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
