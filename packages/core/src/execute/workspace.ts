import type { ThresholdOptions } from "@pml/graph";

import { ToolCatalog } from "../discover/tool-catalog.js";
import { type Knowledge, loadKnowledge } from "../learn/knowledge.js";
import type { Scope } from "../model/scope.js";
import type { NewTool } from "../model/tool.js";
import type { StoreContext } from "../store/context.js";
import { listTools, putTools, setToolAvailable } from "../store/tools.js";
import { EventHub } from "./events.js";

/** What one project has in memory. Nothing in it is seen from another project. */
export class Workspace {
  readonly knowledge: Knowledge;
  readonly hub: EventHub;
  /** The version of each tool's schemas, by id. */
  readonly versions: Map<string, number> = new Map();
  readonly context: StoreContext;
  #tools: readonly NewTool[] = [];
  #catalog: Promise<ToolCatalog> | undefined;

  private constructor(context: StoreContext, knowledge: Knowledge) {
    this.context = context;
    this.knowledge = knowledge;
    this.hub = new EventHub(context.warn);
  }

  static async open(
    context: StoreContext,
    { tools, thresholds }: { tools: readonly NewTool[]; thresholds: Partial<ThresholdOptions> },
  ): Promise<Workspace> {
    const workspace = new Workspace(context, await loadKnowledge(context, thresholds));
    await workspace.putTools(tools);
    return workspace;
  }

  /** The store as one actor of the project sees it. */
  contextFor(scope: Scope): StoreContext {
    return { ...this.context, scope };
  }

  /** The tools there are from now on. Gives those whose schemas changed, and those that are gone. */
  async putTools(tools: readonly NewTool[]): Promise<{ changed: string[]; removed: string[] }> {
    const before = new Map((await listTools(this.context)).map((tool) => [tool.id, tool]));
    const stored = await putTools(this.context, tools);
    const here = new Set(tools.map(({ id }) => id));
    const removed = [...before.values()].filter(({ id, available }) => available && !here.has(id)).map(({ id }) => id);
    for (const id of removed) await setToolAvailable(this.context, id, false);
    this.versions.clear();
    for (const { id, version } of stored) this.versions.set(id, version);
    this.#tools = tools;
    this.#catalog = undefined;
    const changed = stored.filter(({ id, version }) => (before.get(id)?.version ?? version) !== version);
    return { changed: changed.map(({ id }) => id), removed };
  }

  /** Made when first asked for: a host that only runs what it knows need not wait for it. */
  catalog(): Promise<ToolCatalog> {
    this.#catalog ??= ToolCatalog.create(this.context, this.#tools);
    return this.#catalog;
  }
}
