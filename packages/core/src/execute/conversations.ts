import { LRUCache } from "lru-cache";

import { cosine } from "../discover/likeness.js";
import type { JobBase } from "./prepare.js";

interface Served {
  intent: string;
  vector: Float32Array;
  /** How sure it was. */
  match: number;
  /** Of what ran; none where a cache answered. */
  traceId: string | undefined;
}

const MOST_CONVERSATIONS = 1000;
const SAME_REQUEST = 0.5;

/** What was served by itself in each conversation, last: the next request may say that it was wrong. */
export class Conversations {
  readonly #served = new LRUCache<string, Served>({ max: MOST_CONVERSATIONS });

  note(base: JobBase, served: Served): void {
    if (base.options.conversation !== undefined) this.#served.set(keyOf(base), served);
  }

  /** What was served for the same intent just before, taken out. */
  findCorrected(base: JobBase, vector: Float32Array, calibrate: (cosine: number) => number): Served | undefined {
    const served = this.#served.get(keyOf(base));
    if (served === undefined || calibrate(cosine(served.vector, vector)) < SAME_REQUEST) return undefined;
    this.#served.delete(keyOf(base));
    return served;
  }
}

function keyOf({ context, options }: JobBase): string {
  return JSON.stringify([context.scope.org, context.scope.project, context.scope.actor, options.conversation]);
}
