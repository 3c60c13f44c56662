import type { Drift } from "@pml/graph";
import type { RunEvent } from "@pml/sandbox";

import type { Curated } from "./naming.js";

/** Something that happened in this memory, secrets taken out. */
export type PmlEvent =
  | RunEvent
  | { type: "run_start"; workflowId: string; traceId: string; ts: number; intent?: string; capabilityId?: string }
  | { type: "run_end"; workflowId: string; traceId: string; ts: number; success: boolean; durationMs: number }
  | { type: "approval_required"; workflowId: string; approvalId: string; ts: number; tools: string[] }
  /** A tool's result left the type that its results had so far. */
  | { type: "drift"; tool: string; drift: readonly Drift[]; ts: number }
  | { type: "capability_learned"; capabilityId: string; intent: string; ts: number }
  /** A version did worse than the one before, so the name stands for that again. */
  | {
      type: "capability_rolled_back";
      name: string;
      from: string;
      to: string;
      version: number;
      reason: string;
      ts: number;
    }
  /** Enough capabilities without a name had gathered: what they could be called, or are called now. */
  | ({ type: "curated"; ts: number } & Curated)
  | { type: "tools_changed"; ids: string[]; ts: number };

export type EventListener = (event: PmlEvent) => void;

/** Hands events to whoever listens. A listener that throws does not stop the others, nor the run. */
export class EventHub {
  readonly #listeners = new Set<EventListener>();
  readonly #warn: (message: string, details: Record<string, unknown>) => void;

  constructor(warn: (message: string, details: Record<string, unknown>) => void) {
    this.#warn = warn;
  }

  listen(listener: EventListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  emit(event: PmlEvent, also?: EventListener): void {
    for (const listener of also === undefined ? this.#listeners : [...this.#listeners, also]) {
      try {
        listener(event);
      } catch (error) {
        this.#warn("A listener of events threw.", { type: event.type, error: (error as Error).name });
      }
    }
  }
}
