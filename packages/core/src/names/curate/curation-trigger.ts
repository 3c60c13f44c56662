import type { Scope } from "../../model/scope.js";
import type { NamesContext } from "../powers.js";
import { countUnnamed } from "./candidates.js";
import { curate, type CurationReport, type CurationRequest } from "./curate.js";

export interface TriggerOptions {
  /** So many new unnamed capabilities bring curation about; 0 never does. */
  after: number;
  strategy: Exclude<CurationRequest["strategy"], "apply">;
}

export const DEFAULT_TRIGGER: TriggerOptions = { after: 20, strategy: "suggest" };

/** Curates whenever enough capabilities without a name have gathered since it last did, project by project. */
export class CurationTrigger {
  readonly #options: TriggerOptions;
  readonly #seen = new Map<string, number>();

  constructor(options: Partial<TriggerOptions> = {}) {
    this.#options = { ...DEFAULT_TRIGGER, ...options };
  }

  /** To be called when a capability was learned. Undefined when it is not time yet. */
  async check(context: NamesContext): Promise<CurationReport | undefined> {
    const { after, strategy } = this.#options;
    if (after <= 0) return undefined;
    const key = keyOf(context.scope);
    const unnamed = await countUnnamed(context);
    // Names given in between lower what was there the last time.
    const before = Math.min(this.#seen.get(key) ?? 0, unnamed);
    if (unnamed - before < after) {
      this.#seen.set(key, before);
      return undefined;
    }
    this.#seen.set(key, unnamed);
    const report = await curate(context, { strategy });
    if (strategy === "auto") this.#seen.set(key, await countUnnamed(context));
    return report;
  }
}

function keyOf({ org, project, actor }: Scope): string {
  return JSON.stringify([org, project, actor]);
}
