import type { RunEvent } from "@pml/sandbox";

import { type Frame, keyOfTurn } from "../../learn/sources/read-input.js";
import type { CodeAhead } from "./ran-code.js";

/** Code that is running, and what it has seen so far. */
export interface RunFrame extends Frame, CodeAhead {
  /** The steps that led to it, as the calls made in it name them. */
  readonly path: string;
  readonly results: Map<string, unknown>;
  /** Steps that have ended, well or not. */
  readonly ended: Set<string>;
  /** Which ways decisions went, by the turn they were made in. */
  readonly outcomes: Map<string, string>;
}

/** What a run goes through, told by its events: its own code, and that of each capability while it is called. */
export class RunFrames {
  readonly #frames = new Map<string, RunFrame>();
  readonly #describe: (capability: string, args: unknown) => CodeAhead | undefined;
  readonly #root: RunFrame | undefined;

  constructor(root: CodeAhead | undefined, describe: (capability: string, args: unknown) => CodeAhead | undefined) {
    this.#root = root && open(root, "");
    this.#describe = describe;
  }

  list(): RunFrame[] {
    return [...(this.#root === undefined ? [] : [this.#root]), ...this.#frames.values()];
  }

  /** True where something may be known now that was not before. */
  observe(event: RunEvent): boolean {
    switch (event.type) {
      case "capability_start":
        return this.#open(event);
      case "tool_end":
        return this.#end(event);
      case "capability_end":
        this.#frames.delete(event.traceId);
        return this.#end(event);
      case "decision":
        this.#find(event.traceId)?.outcomes.set(keyOf(event), event.outcome);
        return true;
      default:
        return false;
    }
  }

  #open(event: Extract<RunEvent, { type: "capability_start" }>): boolean {
    const code = this.#describe(event.capability, event.args);
    if (code === undefined) return false;
    const { path = "" } = this.#frames.get(event.parentTraceId ?? "") ?? {};
    this.#frames.set(event.traceId, open(code, `${path}/${keyOf(event)}`));
    return true;
  }

  #end(event: Extract<RunEvent, { type: "tool_end" | "capability_end" }>): boolean {
    const frame = this.#find(event.parentTraceId ?? "");
    if (event.success) frame?.results.set(keyOf(event), event.result);
    frame?.ended.add(keyOf(event));
    return frame !== undefined;
  }

  /** What belongs to no capability belongs to the code of the run itself, whose own id is not known before it starts. */
  #find(traceId: string): RunFrame | undefined {
    return this.#frames.get(traceId) ?? this.#root;
  }
}

function open(code: CodeAhead, path: string): RunFrame {
  return { ...code, path, results: new Map(), ended: new Set(), outcomes: new Map() };
}

function keyOf({ nodeId = "?", iteration = [] }: Pick<RunEvent, "nodeId" | "iteration">): string {
  return keyOfTurn(nodeId, iteration);
}
