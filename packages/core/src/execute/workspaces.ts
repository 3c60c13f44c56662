import { resolveScope, type Scope } from "../model/scope.js";
import type { NewTool } from "../model/tool.js";
import type { StoreContext } from "../store/context.js";
import type { Place } from "./job.js";
import { type ToolChanges, Workspace, type WorkspaceOptions } from "./workspace.js";

export interface WorkspacesOptions extends Omit<WorkspaceOptions, "tools"> {
  /** The tools there are when a project is first asked for. */
  listTools: () => readonly NewTool[];
  /** Told which schemas changed while the project was closed. Tools that are not here yet may still come. */
  onOpen: (workspace: Workspace, changes: ToolChanges) => Promise<void>;
}

/** The projects of a memory, each opened when it is first asked for. */
export class Workspaces {
  readonly #context: StoreContext;
  readonly #options: WorkspacesOptions;
  readonly #open = new Map<string, Promise<Workspace>>();

  constructor(context: StoreContext, options: WorkspacesOptions) {
    this.#context = context;
    this.#options = options;
  }

  /** The project of a scope, over that of the memory, as its actor sees it. */
  async open(given?: Partial<Scope>): Promise<Place> {
    const scope = resolveScope(given, this.#context.scope);
    const key = JSON.stringify([scope.org, scope.project]);
    const found = this.#open.get(key) ?? this.#create(scope);
    this.#open.set(key, found);
    // One that could not be opened is tried again the next time.
    found.catch(() => this.#open.delete(key));
    const workspace = await found;
    await workspace.refresh();
    return { workspace, context: workspace.contextFor(scope) };
  }

  /** Another process has changed something of this project. */
  async markStale({ org, project }: Pick<Scope, "org" | "project">): Promise<void> {
    const workspace = await this.#open.get(JSON.stringify([org, project]));
    if (workspace !== undefined) workspace.isStale = true;
  }

  /** Other processes may have changed anything. */
  async markAllStale(): Promise<void> {
    for (const workspace of await this.list()) workspace.isStale = true;
  }

  list(): Promise<Workspace[]> {
    return Promise.all(this.#open.values());
  }

  async #create(scope: Scope): Promise<Workspace> {
    const { listTools, onOpen, ...options } = this.#options;
    const context = { ...this.#context, scope };
    const { workspace, changes } = await Workspace.open(context, { ...options, tools: listTools() });
    await onOpen(workspace, { ...changes, removed: [] });
    return workspace;
  }
}
