import type { KnownSecrets } from "./known-secrets.js";
import { isSecretName } from "./secret-names.js";
import { REDACTED, redactPatterns } from "./secret-patterns.js";
import { isSecretPlace, type Schemas, schemasOfField, schemasOfItem, startSchemas } from "./secret-schema.js";

/** Takes secrets out of a value, or of a text. What holds none comes back as it is, the same object. */
export type Redact = <T>(value: T) => T;

export interface RedactionOptions {
  /** Fields whose name matches are taken out whole, besides the usual ones. */
  fields?: readonly RegExp[];
  /** Text that matches is taken out of longer text, besides the usual ones. Each needs the flag `g`. */
  patterns?: readonly RegExp[];
}

/** What else is known of a value. */
interface Known {
  /** Fields that its JSON Schema marks by `writeOnly`, `format: "password"` or `x-secret` are secret. */
  schema?: unknown;
  /** Secrets seen before; those found in the value join them. */
  secrets?: KnownSecrets;
}

export type Redaction = <T>(value: T, known?: Known) => T;

const DEEPEST = 100;

export function createRedaction(options: RedactionOptions = {}): Redaction {
  const { fields = [], patterns = [] } = options;
  const isSecretField = (name: string): boolean => isSecretName(name) || fields.some((field) => matches(field, name));
  const redactText = (text: string): string => redactPatterns(text, patterns);
  return (value, known = {}) => {
    const seen = known.secrets?.size;
    const walk = (): typeof value => new Walk({ isSecretField, redactText, known }).start(value);
    const clean = walk();
    // A secret found late in a value may also stand early in it.
    return known.secrets?.size === seen ? clean : walk();
  };
}

interface Rules {
  isSecretField: (name: string) => boolean;
  redactText: (text: string) => string;
  known: Known;
}

/** One way through a value. An object met twice is looked at once: values may be shared, or lead back to themselves. */
class Walk {
  readonly #rules: Rules;
  readonly #seen = new Map<object, { schemas: Schemas; clean: unknown }[]>();
  /** The rows of a table have the same names over and over. */
  readonly #names = new Map<string, string>();

  constructor(rules: Rules) {
    this.#rules = rules;
  }

  start<T>(value: T): T {
    return this.#visit(value, startSchemas(this.#rules.known.schema), 0) as T;
  }

  #visit(value: unknown, schemas: Schemas, depth: number): unknown {
    if (isSecretPlace(schemas)) return this.#hide(value);
    if (typeof value === "string") return this.#text(value);
    if (typeof value === "number" || typeof value === "bigint") return this.#number(value);
    if (typeof value !== "object" || value === null) return value;
    if (depth > DEEPEST) return REDACTED;
    const entries = this.#seen.get(value) ?? [];
    const known = entries.find((entry) => isSame(entry.schemas, schemas));
    if (known !== undefined) return known.clean;
    const entry = { schemas, clean: REDACTED as unknown };
    this.#seen.set(value, [...entries, entry]);
    entry.clean = this.#enter(value, schemas, depth + 1);
    return entry.clean;
  }

  #enter(value: object, schemas: Schemas, depth: number): unknown {
    const { schema: root } = this.#rules.known;
    if (Array.isArray(value)) {
      const clean = value.map((item, at) => this.#visit(item, schemasOfItem(schemas, at, root), depth));
      return value.every((item, at) => Object.is(item, clean[at])) ? value : clean;
    }
    if (value instanceof Set) {
      const clean = [...value].map((item) => this.#visit(item, [], depth));
      return [...value].every((item, at) => Object.is(item, clean[at])) ? value : new Set(clean);
    }
    if (value instanceof Map) return this.#map(value, depth);
    if (value instanceof Date || value instanceof RegExp || ArrayBuffer.isView(value)) return value;
    if (value instanceof Error) return this.#error(value, depth);
    return this.#object(value, schemas, depth);
  }

  #object(value: object, schemas: Schemas, depth: number): unknown {
    const entries = Object.entries(value);
    const clean = entries.map(([key, item]) => {
      const inner = schemasOfField(schemas, key, this.#rules.known.schema);
      return [this.#name(key), this.#field(key, item, () => this.#visit(item, inner, depth))] as const;
    });
    const isClean = entries.every(([key, item], at) => key === clean[at]?.[0] && Object.is(item, clean[at][1]));
    return isClean ? value : Object.fromEntries(clean);
  }

  #map(value: Map<unknown, unknown>, depth: number): unknown {
    const pairs = [...value];
    const clean = pairs.map(([key, item]): [unknown, unknown] => {
      const visit = (): unknown => this.#visit(item, [], depth);
      return [this.#visit(key, [], depth), typeof key === "string" ? this.#field(key, item, visit) : visit()];
    });
    const isClean = pairs.every(([key, item], at) => Object.is(key, clean[at]?.[0]) && Object.is(item, clean[at]?.[1]));
    return isClean ? value : new Map(clean);
  }

  /** Neither its message nor its stack are among its entries. */
  #error(error: Error, depth: number): unknown {
    const own = this.#object({ ...error }, [], depth) as object;
    const message = this.#text(error.message);
    const cause = this.#visit(error.cause, [], depth);
    const stack = this.#text(error.stack ?? "");
    const isClean =
      message === error.message && cause === error.cause && stack === (error.stack ?? "") && isEqual(own, error);
    return isClean
      ? error
      : Object.assign(new Error(message), own, { name: error.name, stack, ...(cause !== undefined && { cause }) });
  }

  /** A boolean or a number under such a name says whether or how many, not what. */
  #field(key: string, item: unknown, visit: () => unknown): unknown {
    const mayHide = (typeof item === "string" || typeof item === "object") && item !== null && item !== "";
    return mayHide && this.#rules.isSecretField(key) ? this.#hide(item) : visit();
  }

  #hide(value: unknown): unknown {
    if (value === undefined || value === null || value === "" || value === REDACTED) return value;
    this.#rules.known.secrets?.add(value);
    return REDACTED;
  }

  #number(value: number | bigint): unknown {
    return this.#rules.known.secrets?.has(String(value)) === true ? REDACTED : value;
  }

  #name(name: string): string {
    const clean = this.#names.get(name) ?? this.#text(name);
    this.#names.set(name, clean);
    return clean;
  }

  #text(text: string): string {
    const { redactText, known } = this.#rules;
    const clean = redactText(text);
    return known.secrets === undefined ? clean : known.secrets.redact(clean);
  }
}

function isEqual(own: object, error: Error): boolean {
  return Object.entries(own).every(([key, value]) =>
    Object.is(value, (error as unknown as Record<string, unknown>)[key]),
  );
}

function isSame(a: Schemas, b: Schemas): boolean {
  return a.length === b.length && a.every((each, at) => each === b[at]);
}

/** With the flag `g` a pattern remembers where it was. */
function matches(pattern: RegExp, text: string): boolean {
  pattern.lastIndex = 0;
  return pattern.test(text);
}
