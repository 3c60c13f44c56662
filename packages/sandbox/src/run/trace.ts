import type { Fault } from "../error.js";
import type { RunEvent } from "../events.js";
import type { GuestCall, Observation } from "../runner/runner.js";
import type { Origin } from "../wire/messages.js";

export interface TraceOptions {
  traceId: string;
  now: () => number;
  emit: (event: RunEvent) => void;
}

/** Where a call stands: in the trace, and in the code. */
export interface CallPlace {
  traceId: string;
  parentTraceId: string;
  /** The steps that lead to it: node and turn, through the capabilities around it. The same in a replay. */
  path: string;
}

interface Opened {
  start: Extract<RunEvent, { type: "tool_start" | "capability_start" }>;
  origin: Origin;
}

/**
 * Turns what happens in a run into its events: each start has its end, times never go back, and a call stands under
 * the capability call it was made in.
 */
export class Trace {
  readonly #options: TraceOptions;
  readonly #open = new Map<number, Opened>();
  /** The parent of each capability call, by id. */
  readonly #parents = new Map<number, number>();
  /** The steps that lead to each capability call, by id; the run's own code stands at the root. */
  readonly #paths = new Map<number, string>();
  #lastTs = 0;

  constructor(options: TraceOptions) {
    this.#options = options;
  }

  startCall({ id, scope, tool, args, origin, at }: GuestCall): CallPlace {
    const ids = { traceId: this.#idOf(id), parentTraceId: this.#idOf(scope) };
    this.#start(id, { type: "tool_start", ...ids, ts: this.#stamp(at), tool, args, ...origin }, origin);
    return { ...ids, path: this.#pathOf(scope, origin) };
  }

  endCall(id: number, outcome: { result: unknown } | { error: Fault }): void {
    this.#end(id, this.#options.now(), outcome);
  }

  observe({ event, scope, value, origin, at }: Observation): void {
    switch (event.type) {
      case "capability_start":
        this.#parents.set(event.id, scope);
        this.#paths.set(event.id, this.#pathOf(scope, origin));
        return this.#startInside(
          { scope, at, origin, id: event.id },
          { type: event.type, capability: event.capability, args: value },
        );
      case "operation_start":
        return this.#startInside({ scope, at, origin, id: event.id }, { type: "tool_start", tool: event.operation });
      case "capability_end":
        return this.#end(event.id, at, event.fault ? { error: event.fault } : { result: value });
      case "operation_end":
        return this.#end(event.id, at, {});
      case "log":
        return this.#options.emit({ ...event, ...this.#place(scope, at), ...(value !== undefined && { data: value }) });
      default:
        return this.#options.emit({ ...event, ...this.#place(scope, at), ...origin });
    }
  }

  /** Tools the code was waiting for. */
  listOpenTools(): string[] {
    return [...this.#open.values()].flatMap(({ start }) => (start.type === "tool_start" ? [start.tool] : []));
  }

  /** Ends whatever has not ended, innermost first. */
  close(error: Fault): void {
    for (const id of [...this.#open.keys()].reverse()) this.#end(id, this.#options.now(), { error });
  }

  #startInside(
    place: { scope: number; at: number; origin: Origin; id: number },
    event: { type: "capability_start"; capability: string; args: unknown } | { type: "tool_start"; tool: string },
  ): void {
    const ids = { traceId: this.#idOf(place.id), parentTraceId: this.#idOf(place.scope) };
    this.#start(place.id, { ...event, ...ids, ts: this.#stamp(place.at), ...place.origin }, place.origin);
  }

  #start(id: number, start: Opened["start"], origin: Origin): void {
    this.#open.set(id, { start, origin });
    this.#options.emit(start);
  }

  #end(id: number, at: number, outcome: { result?: unknown } | { error: Fault }): void {
    const opened = this.#open.get(id);
    if (opened === undefined) return;
    this.#open.delete(id);
    const { start, origin } = opened;
    const { traceId, parentTraceId } = start;
    const ts = this.#stamp(at);
    const common = {
      traceId,
      ...(parentTraceId !== undefined && { parentTraceId }),
      ts,
      durationMs: ts - start.ts,
      success: !("error" in outcome),
      ...outcome,
      ...origin,
    };
    if (start.type === "tool_start") this.#options.emit({ type: "tool_end", tool: start.tool, ...common });
    else this.#options.emit({ type: "capability_end", capability: start.capability, ...common });
  }

  #place(scope: number, at: number): { traceId: string; parentTraceId?: string; ts: number } {
    const parent = this.#parents.get(scope);
    const outer = parent === undefined ? {} : { parentTraceId: this.#idOf(parent) };
    return { traceId: this.#idOf(scope), ...outer, ts: this.#stamp(at) };
  }

  #pathOf(scope: number, { nodeId = "?", iteration = [] }: Origin): string {
    const turns = iteration.length === 0 ? "" : `[${iteration.join(".")}]`;
    return `${this.#paths.get(scope) ?? ""}/${nodeId}${turns}`;
  }

  #idOf(id: number): string {
    return id === 0 ? this.#options.traceId : `${this.#options.traceId}.${id}`;
  }

  /** The child's clock and ours differ by a little; the order in which events arrive is the true one. */
  #stamp(at: number): number {
    this.#lastTs = Math.max(this.#lastTs, Math.min(at, this.#options.now()));
    return this.#lastTs;
  }
}
