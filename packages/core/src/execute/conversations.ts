import { LRUCache } from "lru-cache";

import { cosine } from "../discover/likeness.js";
import type { Outcome } from "../learn/outcomes.js";
import type { JobBase } from "./prepare.js";

/** What was decided for a request, and how sure that was. */
export interface Decided extends Pick<Outcome, "of" | "score" | "traceId"> {
  intent: string;
  /** What would have run, where it was only offered. */
  offered?: string;
}

const MOST_CONVERSATIONS = 1000;
const SAME_REQUEST = 0.5;

/** What was decided last in each conversation: what comes next says whether it was what was asked for. */
export class Conversations {
  readonly #decided = new LRUCache<string, Decided>({ max: MOST_CONVERSATIONS });

  note(base: JobBase, decided: Decided): void {
    if (base.options.conversation !== undefined) this.#decided.set(keyOf(base), decided);
  }

  /** What a forgotten run served says nothing any more. */
  forget(traceId: string): void {
    for (const [key, decided] of this.#decided.entries()) if (decided.traceId === traceId) this.#decided.delete(key);
  }

  /** Code for the same intent corrects what was served; another intent shows that it was taken. Asked again, neither. */
  async settleServed(base: JobBase, intent: string): Promise<Outcome | undefined> {
    const served = this.#find(base);
    if (served === undefined || served.offered !== undefined) return undefined;
    const isSame = await asksForSame(base, served.intent, intent);
    if (isSame && base.mode !== "direct") return undefined;
    this.#decided.delete(keyOf(base));
    return { of: served.of, score: served.score, traceId: served.traceId, wrong: isSame };
  }

  /** What was run in place of what was offered shows whether it would have been right to run that. */
  async settleOffered(base: JobBase, ran: { capabilityId?: string; traceId: string }): Promise<Outcome | undefined> {
    const decided = this.#find(base);
    if (decided?.offered === undefined) return undefined;
    const right = decided.offered === ran.capabilityId;
    if (!right && (base.intent === undefined || !(await asksForSame(base, decided.intent, base.intent))))
      return undefined;
    this.#decided.delete(keyOf(base));
    return { of: decided.of, score: decided.score, traceId: ran.traceId, wrong: !right };
  }

  #find(base: JobBase): Decided | undefined {
    return base.options.conversation === undefined ? undefined : this.#decided.get(keyOf(base));
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
