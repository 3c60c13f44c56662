import type { Server } from "@modelcontextprotocol/server";
import type { Pml, Scope, StoreChange } from "@pml/core";

interface Announcing {
  scope: Partial<Scope> | undefined;
  warn: (message: string, details: Record<string, unknown>) => void;
}

/** Several names given at once are one change of the list. */
const GATHER_MS = 50;

/** Tells the client that names have changed, for as long as it is connected. */
export function announceChanges(server: Server, pml: Pml, { scope, warn }: Announcing): void {
  let timer: NodeJS.Timeout | undefined;
  const announce = (change: StoreChange): void => {
    if (change.table !== "capability_records") return;
    clearTimeout(timer);
    timer = setTimeout(() => void server.sendToolListChanged().catch(() => undefined), GATHER_MS);
    timer.unref();
  };
  const following = pml.store
    .withScope(scope ?? {})
    .onChange(announce)
    .catch((error: Error) => {
      warn("Changes of names are not announced.", { reason: error.message });
      return async () => undefined;
    });
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a server is no EventTarget
  server.onclose = () => {
    clearTimeout(timer);
    void following.then((stop) => stop()).catch(() => undefined);
  };
}
