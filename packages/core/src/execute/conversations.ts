import { LRUCache } from "lru-cache";

import { cosine } from "../discover/likeness.js";
import type { JobBase } from "./prepare.js";

interface Served {
  intent: string;
  /** How sure it was. */
  match: number;
  /** Of what ran; none where a cache answered. */
  traceId: string | undefined;
}

/** What a conversation showed of something that was served by itself. */
export interface Settled {
  match: number;
  traceId: string | undefined;
  wrong: boolean;
}

const MOST_CONVERSATIONS = 1000;
const SAME_REQUEST = 0.5;

/** What was served by itself in each conversation, last: the next request says whether it was what was asked for. */
export class Conversations {
  readonly #served = new LRUCache<string, Served>({ max: MOST_CONVERSATIONS });

  note(base: JobBase, served: Served): void {
    if (base.options.conversation !== undefined) this.#served.set(keyOf(base), served);
  }

  /** What a forgotten run served says nothing any more. */
  forget(traceId: string): void {
    for (const [key, served] of this.#served.entries()) if (served.traceId === traceId) this.#served.delete(key);
  }

  /** Code for the same intent corrects what was served; another intent shows that it was taken. Asked again, neither. */
  async settle(base: JobBase, intent: string): Promise<Settled | undefined> {
    const served = base.options.conversation === undefined ? undefined : this.#served.get(keyOf(base));
    if (served === undefined) return undefined;
    const isSame = await asksForSame(base, served.intent, intent);
    if (isSame && base.mode !== "direct") return undefined;
    this.#served.delete(keyOf(base));
    return { match: served.match, wrong: isSame, traceId: served.traceId };
  }
}

async function asksForSame({ context }: JobBase, before: string, now: string): Promise<boolean> {
  if (before === now) return true;
  const [a, b] = await context.vectors.embed([before, now]);
  return context.vectors.calibrate(cosine(a as Float32Array, b as Float32Array)) >= SAME_REQUEST;
}

function keyOf({ context, options }: JobBase): string {
  return JSON.stringify([context.scope.org, context.scope.project, context.scope.actor, options.conversation]);
}
