import type { Tool } from "../model/tool.js";
import { listByTools } from "../store/resting.js";
import type { Powers } from "./job.js";
import { followToolChanges } from "./tool-changes.js";
import type { Workspace } from "./workspace.js";

/** The tools of a memory, while it runs. */
export interface Tools {
  add(...tools: Tool[]): Promise<void>;
  /** Takes the place of the tool with this id. A changed schema reaches every cache that rests on it. */
  update(tool: Tool): Promise<void>;
  remove(id: string): Promise<void>;
  get(id: string): Tool;
  find(id: string): Tool | undefined;
  list(): Tool[];
}

interface Surroundings {
  workspaces: () => Promise<Workspace[]>;
  /** Forgets what was worked out from the tools as they were. */
  refresh: () => void;
}

export function createTools(powers: Powers, { workspaces, refresh }: Surroundings): Tools {
  const { box } = powers;

  async function spread(ids: readonly string[]): Promise<void> {
    refresh();
    for (const workspace of await workspaces()) {
      await followToolChanges(powers, workspace, await workspace.putTools(box.list()));
      const resting = (await listByTools(workspace.context, workspace.gone)).map(({ id }) => id);
      workspace.hub.emit({ type: "tools_changed", ids: [...ids], resting, ts: powers.now().getTime() });
    }
  }

  return {
    async add(...tools) {
      box.put(...tools);
      await spread(tools.map(({ id }) => id));
    },
    async update(tool) {
      box.get(tool.id);
      box.put(tool);
      await spread([tool.id]);
    },
    async remove(id) {
      box.remove(id);
      await spread([id]);
    },
    get: (id) => box.get(id),
    find: (id) => box.find(id),
    list: () => box.list(),
  };
}
