import { setImmediate } from "node:timers/promises";

import type { Tool as SandboxTool } from "@pml/sandbox";

import { PmlError } from "../model/error.js";
import { canonicalJson } from "../model/identity.js";
import { reviveValue } from "../model/kept-value.js";
import type { TraceTask } from "../model/trace.js";
import { type Compare, isWithheld } from "./replay-compare.js";
import type { Difference } from "./replay-difference.js";

export type RecordedCall = Pick<TraceTask, "taskId" | "tool" | "args" | "result" | "success" | "error">;

export interface ReplayOptions {
  calls: readonly RecordedCall[];
  /** Tools that code might call, though the trace does not. */
  tools: readonly string[];
  compare: Compare;
  /** The arguments of a tool as a trace would keep them. */
  keep: (args: unknown, tool: string) => unknown;
  onDifference: (difference: Difference) => void;
}

/** Answers calls from a trace, each recorded call once. It knows no real tool. */
export class ReplayTools {
  readonly #options: ReplayOptions;
  readonly #visits = new Map<string, number>();
  /** Recorded calls that were not made again, by place. */
  readonly #left: Map<string, RecordedCall>;
  /** Their places, by what was called with what. */
  readonly #alike = new Map<string, string[]>();

  constructor(options: ReplayOptions) {
    this.#options = options;
    this.#left = new Map(options.calls.map((call) => [call.taskId, call]));
    for (const { taskId, tool, args } of options.calls) {
      const key = keyOf(tool, args);
      this.#alike.set(key, [...(this.#alike.get(key) ?? []), taskId]);
    }
  }

  listForSandbox(): SandboxTool[] {
    const { calls, tools } = this.#options;
    const ids = new Set([...tools, ...calls.map(({ tool }) => tool)]);
    return [...ids].map((id) => ({
      id,
      call: async (args, { path }) => {
        const place = this.#placeOf(path);
        // Calls that were made at the same time have all arrived before the first of them has its answer.
        await setImmediate();
        return this.#answer(id, args, place);
      },
    }));
  }

  listLeft(): RecordedCall[] {
    return [...this.#left.values()];
  }

  #answer(tool: string, args: unknown, place: string): unknown {
    const { compare, onDifference } = this.#options;
    const call = this.#find(tool, args, place);
    if (call === undefined) {
      const message = `${tool} was called, and the trace knows of no such call.`;
      onDifference({ kind: "unknown_call", message, place, tool, actual: args });
      throw new PmlError("PML_REPLAY_UNKNOWN_CALL", message, { details: { tool, place } });
    }
    this.#left.delete(call.taskId);
    compare(`The arguments of ${tool}`, { kind: "arguments", expected: call.args, actual: args, place, tool });
    if (!call.success) throw new Error(withoutPrefix(call));
    if (isWithheld(call.result)) onDifference(withheld(call));
    return reviveValue(call.result);
  }

  /** The call at this place with these arguments; else one like it anywhere; else whatever was called here. */
  #find(tool: string, args: unknown, place: string): RecordedCall | undefined {
    const here = this.#left.get(place);
    const atPlace = here?.tool === tool ? here : undefined;
    const wanted = keyOf(tool, this.#options.keep(args, tool));
    if (atPlace !== undefined && keyOf(tool, atPlace.args) === wanted) return atPlace;
    const elsewhere = this.#alike.get(wanted)?.find((id) => this.#left.has(id));
    return elsewhere === undefined ? atPlace : this.#left.get(elsewhere);
  }

  /** As the trace names it: `n2/n1[0]`, and `~1` where the same place is reached again. */
  #placeOf(path: string): string {
    const place = path.slice(1).replaceAll("?", "call");
    const visits = this.#visits.get(place) ?? 0;
    this.#visits.set(place, visits + 1);
    return visits === 0 ? place : `${place}~${visits}`;
  }
}

function keyOf(tool: string, args: unknown): string {
  return `${tool} ${canonicalJson(args ?? {})}`;
}

/** The sandbox says again which tool failed. */
function withoutPrefix({ tool, error = "It failed." }: RecordedCall): string {
  const prefix = `The tool "${tool}" failed: `;
  return error.startsWith(prefix) ? error.slice(prefix.length) : error;
}

function withheld({ tool, taskId, result }: RecordedCall): Difference {
  const message = `What ${tool} gave was not kept whole, so what follows from it cannot be compared.`;
  return { kind: "withheld", message, place: taskId, tool, expected: result };
}
