import type { StdContext } from "./std-tool.js";

/** Ids of tools whose server cannot be reached now: as its connection says, or else as the store was told. */
export async function listAway({ pml, servers }: Pick<StdContext, "pml" | "servers">): Promise<ReadonlySet<string>> {
  if (servers === undefined)
    return new Set((await pml.store.listTools()).filter(({ available }) => !available).map(({ id }) => id));
  return new Set(servers.list().flatMap(({ state, tools }) => (state === "connected" ? [] : tools)));
}
