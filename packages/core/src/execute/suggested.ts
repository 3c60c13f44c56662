import { LRUCache } from "lru-cache";

import type { Suggestions } from "./answer.js";
import type { JobBase } from "./prepare.js";

const MOST_KEPT = 1000;

/** What was suggested lately, by intent and by conversation: whoever then uses some of it has taken the suggestion. */
export class Suggested {
  readonly #ids = new LRUCache<string, ReadonlySet<string>>({ max: MOST_KEPT });

  note(base: JobBase, { tools, capabilities }: Suggestions): void {
    const ids = new Set([...tools, ...capabilities].map(({ id }) => id));
    for (const key of listKeys(base)) this.#ids.set(key, ids);
  }

  /** True once for each suggestion of which something is used. */
  take(base: JobBase, used: readonly string[]): boolean {
    const keys = listKeys(base).filter((key) => used.some((id) => this.#ids.get(key)?.has(id)));
    for (const key of keys) this.#ids.delete(key);
    return keys.length > 0;
  }
}

function listKeys({ context, intent, options }: JobBase): string[] {
  const { org, project, actor } = context.scope;
  const { conversation } = options;
  const keys = [
    ...(intent === undefined ? [] : [["intent", intent]]),
    ...(conversation === undefined ? [] : [["conversation", conversation]]),
  ];
  return keys.map((key) => JSON.stringify([org, project, actor, ...key]));
}
