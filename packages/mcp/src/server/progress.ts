import type { ServerContext } from "@modelcontextprotocol/server";
import type { PmlEvent } from "@pml/core";

export interface Reporter {
  onEvent: (event: PmlEvent) => void;
  /** After the answer nothing more may be said of the request, even if its run goes on after an approval. */
  end: () => void;
}

/** Tells a caller that asked for it how its run goes on. */
export function createReporter({ mcpReq }: ServerContext): Reporter {
  const token = mcpReq._meta?.progressToken;
  if (token === undefined) return { onEvent: () => undefined, end: () => undefined };
  let progress = 0;
  let over = false;
  return {
    onEvent(event) {
      const message = describe(event);
      if (over || message === undefined) return;
      const params = { progressToken: token, progress: ++progress, message };
      void mcpReq.notify({ method: "notifications/progress", params }).catch(() => undefined);
    },
    end: () => void (over = true),
  };
}

/** Undefined for what nobody waits to hear of. */
function describe(event: PmlEvent): string | undefined {
  switch (event.type) {
    case "tool_start":
      return event.tool.startsWith("code:") ? undefined : `calls ${event.tool}`;
    case "tool_end":
      return event.tool.startsWith("code:") ? undefined : `${event.tool} ${event.success ? "answered" : "failed"}`;
    case "capability_start":
      return `runs ${event.capability}`;
    case "progress":
      return event.message;
    case "run_start":
      return "starts";
    default:
      return undefined;
  }
}
