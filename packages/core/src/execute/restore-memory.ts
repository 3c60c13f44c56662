import type { CapabilityStore } from "../store/capability-store.js";
import type { Powers } from "./job.js";
import type { Workspaces } from "./workspaces.js";

/** Fills a memory that has learned nothing yet from a backup, and has what is in memory follow. */
export async function restoreMemory(
  powers: Powers,
  { store, workspaces, file }: { store: CapabilityStore; workspaces: Workspaces; file: string },
): Promise<void> {
  await store.restore(file, { replaceTools: true });
  for (const workspace of await workspaces.list()) {
    powers.caches.drop(workspace.context);
    workspace.isStale = true;
    await workspace.refresh();
    await workspace.putTools(powers.box.list());
  }
  powers.info("The memory was restored from a backup.", {});
}
