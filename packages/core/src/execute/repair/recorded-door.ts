import { findDrift, typeOfValue } from "@pml/graph";
import type { Tool as SandboxTool } from "@pml/sandbox";

import { canonicalJson } from "../../model/identity.js";
import { reviveValue } from "../../model/kept-value.js";
import type { RecordedCall } from "../replay-tools.js";

export interface RecordedDoorOptions {
  readonly calls: readonly RecordedCall[];
  /** Tools that code might call, though the run did not. */
  readonly tools: readonly string[];
  /** Those that are called instead of what was: by hand, or by nobody. */
  readonly stand: ReadonlyMap<string, (args: Record<string, unknown>) => Promise<unknown>>;
  /** The arguments of a tool as a trace would keep them. */
  readonly keep: (args: unknown, tool: string) => unknown;
}

/**
 * Answers calls as they were answered then, wherever they stand in the code now; what has other arguments of the same
 * type, as whatever was answered next. What was not called then is not called.
 */
export class RecordedDoor {
  readonly #options: RecordedDoorOptions;
  readonly #left: RecordedCall[];
  /** Calls with other values than then. */
  alike = 0;

  constructor(options: RecordedDoorOptions) {
    this.#options = options;
    this.#left = [...options.calls];
  }

  listLeft(): readonly RecordedCall[] {
    return this.#left;
  }

  listForSandbox(): SandboxTool[] {
    const { calls, tools, stand } = this.#options;
    const ids = new Set([...tools, ...calls.map(({ tool }) => tool), ...stand.keys()]);
    return [...ids].map((id) => ({
      id,
      call: async (args) => {
        const instead = stand.get(id);
        return instead === undefined ? this.#answer(id, args) : instead(args as Record<string, unknown>);
      },
    }));
  }

  #answer(tool: string, args: unknown): unknown {
    const kept = this.#options.keep(args, tool);
    const same = this.#left.findIndex((call) => call.tool === tool && isSame(call.args, kept));
    const at = same === -1 ? this.#left.findIndex((call) => call.tool === tool && isAlike(call.args, kept)) : same;
    const [call] = at === -1 ? [] : this.#left.splice(at, 1);
    if (call === undefined) throw new Error(`${tool} was not called so then.`);
    if (same === -1) this.alike++;
    if (!call.success) throw new Error(call.error ?? "It failed.");
    return reviveValue(call.result);
  }
}

export function isSame(a: unknown, b: unknown): boolean {
  return canonicalJson(a ?? null) === canonicalJson(b ?? null);
}

/** Of the same type, at the least. */
export function isAlike(then: unknown, now: unknown): boolean {
  return findDrift(typeOfValue(reviveValue(then) ?? null), reviveValue(now) ?? null).length === 0;
}
