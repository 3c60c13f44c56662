import { createProvidesEdges, type Fact, type JsonSchema, type ThresholdOptions, type ToolSchemas } from "@pml/graph";

import { Planner, type Planning } from "../discover/planner.js";
import { ToolCatalog } from "../discover/tool-catalog.js";
import { type Knowledge, loadKnowledge } from "../learn/knowledge.js";
import { tellType } from "../learn/told-type.js";
import type { Scope } from "../model/scope.js";
import { asGiven, type NewTool } from "../model/tool.js";
import type { StoreContext } from "../store/context.js";
import { listTools, putTools, setToolAvailable } from "../store/tools.js";
import { EventHub } from "./events.js";

/** Between many tools, what only might fit is noise. */
const LEAST_FIT = 0.7;
const MOST_PROVIDES = 20_000;

export interface WorkspaceOptions {
  tools: readonly NewTool[];
  /** Tools that are stored and not given are somebody else's to bring: they can be found, and are not gone. */
  keepsAbsent: boolean;
  thresholds: Partial<ThresholdOptions>;
  /** Aborts when the memory is closed: nobody waits any more for what is being learned. */
  closing: () => AbortSignal;
  /** Strangers write what the tool gives. */
  isUntrusted: (tool: string) => boolean;
}

/** What is otherwise than it was when the tools were last here. */
export interface ToolChanges {
  /** Their schemas. */
  changed: string[];
  /** They were here, and are gone. */
  removed: string[];
  /** All tools as they were. */
  before: readonly NewTool[];
}

/** What one project has in memory. Nothing in it is seen from another project. */
export class Workspace {
  /** Set when another process has learned something: what is in memory is read anew before it is next used. */
  isStale = false;
  readonly hub: EventHub;
  /** The version of each tool's schemas, by id. */
  readonly versions: Map<string, number> = new Map();
  readonly context: StoreContext;
  #tools: readonly NewTool[] = [];
  #catalog: Promise<ToolCatalog> | undefined;
  #planner: Planner | undefined;
  #provides: Fact[] = [];
  #gone: readonly string[] = [];
  #knowledge: Knowledge;
  readonly #options: WorkspaceOptions;

  private constructor(context: StoreContext, knowledge: Knowledge, options: WorkspaceOptions) {
    this.context = context;
    this.#knowledge = knowledge;
    this.#options = options;
    this.hub = new EventHub(context.warn);
  }

  static async open(
    context: StoreContext,
    options: WorkspaceOptions,
  ): Promise<{ workspace: Workspace; changes: ToolChanges }> {
    const workspace = new Workspace(context, await loadKnowledge(context, options.thresholds), options);
    return { workspace, changes: await workspace.putTools(options.tools) };
  }

  /** Tools that were here once, and are not here now. */
  get gone(): readonly string[] {
    return this.#gone;
  }

  get knowledge(): Knowledge {
    return this.#knowledge;
  }

  /** Takes in what other processes have learned. */
  async refresh(): Promise<void> {
    if (!this.isStale) return;
    this.isStale = false;
    this.#knowledge = await loadKnowledge(this.context, this.#options.thresholds);
    this.#provides = [];
    this.#learnProvides(this.#tools);
  }

  /** The store as one actor of the project sees it. */
  contextFor(scope: Scope): StoreContext {
    return { ...this.context, scope };
  }

  /** The tools there are from now on. */
  async putTools(tools: readonly NewTool[]): Promise<ToolChanges> {
    const before = new Map((await listTools(this.context)).map((tool) => [tool.id, tool]));
    const stored = await putTools(this.context, tools);
    const here = new Set(tools.map(({ id }) => id));
    const absent = [...before.values()].filter(({ id, available }) => available && !here.has(id));
    const kept = this.#options.keepsAbsent ? absent : [];
    const removed = this.#options.keepsAbsent ? [] : absent.map(({ id }) => id);
    for (const id of removed) await setToolAvailable(this.context, id, false);
    this.versions.clear();
    for (const { id, version } of [...stored, ...kept]) this.versions.set(id, version);
    this.#tools = [...tools, ...kept.map(asGiven)];
    this.#catalog = undefined;
    this.#gone = this.#options.keepsAbsent ? [] : [...before.keys()].filter((id) => !here.has(id));
    this.#learnProvides(this.#tools);
    const changed = stored.filter(({ id, version }) => (before.get(id)?.version ?? version) !== version);
    return { changed: changed.map(({ id }) => id), removed, before: [...before.values()].map(asGiven) };
  }

  /** Which tool's results fit which tool's inputs, by their schemas: what the graph knows before anything has run. */
  #learnProvides(tools: readonly NewTool[]): void {
    const { graph } = this.knowledge;
    graph.retract(this.#provides);
    const edges = createProvidesEdges(tools.map(toSchemas), { leastScore: LEAST_FIT })
      .sort((a, b) => b.score - a.score)
      .slice(0, MOST_PROVIDES);
    this.#provides = edges.map(({ from, to, type }) => ({ kind: "edge", from, to, type, source: "template" }));
    graph.observe(this.#provides);
  }

  /** As much of a tool's results as may be told, by what runs have shown. */
  findLearnedOutput(tool: string): JsonSchema | undefined {
    const seen = this.knowledge.graph.types.list(tool);
    return seen.length === 0 ? undefined : tellType(seen, { byStrangers: this.#options.isUntrusted(tool) });
  }

  /** Made when first asked for: a host that only runs what it knows need not wait for it. */
  async catalog(): Promise<ToolCatalog> {
    this.#catalog ??= ToolCatalog.create(this.context, this.#tools, this.#gone);
    const catalog = await this.#catalog;
    await catalog.remember(this.context, this.#options.closing());
    return catalog;
  }

  /** What past requests took, where there are enough of them. Nothing before anybody has asked for the catalog. */
  async planning(): Promise<Planning | undefined> {
    const catalog = await this.#catalog;
    if (catalog === undefined) return undefined;
    if (this.#planner?.catalog !== catalog)
      this.#planner = new Planner({
        catalog,
        describe: (id) => this.#describeSchemas(catalog, id),
        signal: this.#options.closing(),
      });
    return this.#planner.follow(this.context);
  }

  #describeSchemas(catalog: ToolCatalog, id: string): Pick<ToolSchemas, "inputSchema" | "outputSchema"> {
    const { inputSchema, outputSchema = this.findLearnedOutput(id) } = catalog.find(id) as NewTool;
    return { ...(isSchema(inputSchema) && { inputSchema }), ...(isSchema(outputSchema) && { outputSchema }) };
  }
}

function toSchemas({ id, description, inputSchema, outputSchema }: NewTool): ToolSchemas {
  return {
    id,
    description,
    ...(isSchema(inputSchema) && { inputSchema }),
    ...(isSchema(outputSchema) && { outputSchema }),
  };
}

function isSchema(schema: unknown): schema is JsonSchema {
  return typeof schema === "object" && schema !== null;
}
