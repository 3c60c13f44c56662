import { REDACTED } from "./secret-patterns.js";

/** Shorter ones are too common: taking them out of every text would leave nothing of it. */
const SHORTEST = 4;
/** Shorter ones are taken out only where they stand alone, as `1234` and not in `812345`. */
const SURE = 8;
const MOST = 500;
const LONGEST = 10_000;

/**
 * Values that stood where a secret stands. From then on they are secret wherever else they turn up: in the error that a
 * tool throws, in what the code logs, in a result.
 */
export class KnownSecrets {
  readonly #values = new Set<string>();
  #pattern: RegExp | undefined;

  get size(): number {
    return this.#values.size;
  }

  has(text: string): boolean {
    return this.#values.has(text);
  }

  /** Every text and number in it. */
  add(value: unknown, depth = 0): void {
    if (typeof value === "string") this.#addText(value);
    else if (typeof value === "number" || typeof value === "bigint") this.#addText(String(value));
    else if (typeof value === "object" && value !== null && depth < 20)
      for (const each of listContent(value)) this.add(each, depth + 1);
  }

  redact(text: string): string {
    if (this.#values.size === 0) return text;
    this.#pattern ??= buildPattern(this.#values);
    return text.replace(this.#pattern, REDACTED);
  }

  #addText(text: string): void {
    // Headers name their kind: `Bearer abc` hides `abc`.
    const bare = text.replace(/^(?:bearer|basic|token)\s+/i, "").trim();
    const forms = [text, bare, encodeURIComponent(toWellFormed(bare)), JSON.stringify(bare).slice(1, -1)];
    for (const form of forms) {
      if (form.length < SHORTEST || form.length > LONGEST || form === REDACTED) continue;
      if (this.#values.has(form) || this.#values.size >= MOST) continue;
      this.#values.add(form);
      this.#pattern = undefined;
    }
  }
}

/** Longest first, so that a secret that begins another one leaves nothing of it. */
function buildPattern(values: ReadonlySet<string>): RegExp {
  const ordered = [...values].sort((a, b) => b.length - a.length);
  const parts = ordered.map((value) => {
    const literal = value.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
    return value.length >= SURE ? literal : `(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`;
  });
  return new RegExp(parts.join("|"), "gu");
}

function listContent(value: object): unknown[] {
  if (value instanceof Map || value instanceof Set) return [...value.values()];
  return Object.values(value);
}

function toWellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\uFFFD");
}
