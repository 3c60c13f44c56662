/** Takes secrets out of a value, or of a text. What holds none comes back as it is, the same object. */
export type Redact = <T>(value: T) => T;

export interface RedactionOptions {
  /** Fields whose name matches are taken out whole, besides the usual ones. */
  fields?: readonly RegExp[];
  /** Text that matches is taken out of longer text, besides the usual ones. Each needs the flag `g`. */
  patterns?: readonly RegExp[];
}

export const REDACTED = "[redacted]";

/** Names of fields that hold a secret, in any spelling: `apiKey`, `API_KEY`, `x-api-key`. */
const FIELDS: readonly RegExp[] = [
  /^(?:.*[_-])?(?:password|passwd|passphrase|secret|authorization|cookie|credentials?)$/i,
  /(?:^|[_-])(?:api|access|auth|refresh|session|bearer|private|secret|client)[_-]?(?:key|token|secret)$/i,
  /(?:api|access|auth|refresh|session|private|secret|client)(?:Key|Token|Secret)$/,
  /^token$/i,
];

/** Texts that are secrets wherever they stand, by the marks their makers give them. */
const PATTERNS: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----/g,
  /\b(?:sk|pk|rk)[-_](?:live|test|proj|ant|or)?[-_]?[A-Za-z0-9_-]{20,}/g,
  /\bgh[pousr]_[A-Za-z0-9]{30,}/g,
  /\bgithub_pat_[A-Za-z0-9_]{40,}/g,
  /\bxox[abprs]-[A-Za-z0-9-]{10,}/g,
  /\bAKIA[0-9A-Z]{16}\b/g,
  /\bAIza[0-9A-Za-z_-]{35}/g,
  /\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/g,
  /(?<=\bBearer )[A-Za-z0-9._~+/=-]{16,}/g,
  /(?<=:\/\/[^/\s:@]{1,200}:)[^/\s:@]{3,200}(?=@)/g,
];

const DEEPEST = 100;

export function createRedact(options: RedactionOptions = {}): Redact {
  const fields = [...FIELDS, ...(options.fields ?? [])];
  const patterns = [...PATTERNS, ...(options.patterns ?? [])];
  const isSecretField = (name: string): boolean => fields.some((field) => field.test(name));
  const redactText = (text: string): string => patterns.reduce((left, each) => left.replace(each, REDACTED), text);

  function redact(value: unknown, depth: number): unknown {
    if (typeof value === "string") return redactText(value);
    if (typeof value !== "object" || value === null) return value;
    if (depth > DEEPEST) return REDACTED;
    if (Array.isArray(value))
      return keepIfSame(
        value,
        value.map((item) => redact(item, depth + 1)),
      );
    if (Object.getPrototypeOf(value) !== Object.prototype) return value;
    const entries = Object.entries(value);
    const clean = entries.map(
      ([key, item]) => [key, isHidden(key, item) ? REDACTED : redact(item, depth + 1)] as const,
    );
    return entries.every(([, item], at) => item === clean[at]?.[1]) ? value : Object.fromEntries(clean);
  }

  /** A boolean or a number under such a name says whether or how many, not what. */
  function isHidden(key: string, item: unknown): boolean {
    return (typeof item === "string" || typeof item === "object") && item !== null && item !== "" && isSecretField(key);
  }

  return (value) => redact(value, 0) as typeof value;
}

/** Fields that a schema marks as secret, by `writeOnly`, `format: "password"` or `x-secret`: `auth.pin`. */
export function listSecretFields(schema: unknown, path = ""): string[] {
  const properties = (schema as { properties?: Record<string, unknown> } | undefined)?.properties;
  if (typeof properties !== "object" || properties === null) return [];
  return Object.entries(properties).flatMap(([name, field]) => {
    const { writeOnly, format, "x-secret": secret } = (field ?? {}) as Record<string, unknown>;
    const here = path === "" ? name : `${path}.${name}`;
    if (writeOnly === true || format === "password" || secret === true) return [here];
    return listSecretFields(field, here);
  });
}

function keepIfSame(before: readonly unknown[], after: unknown[]): unknown {
  return before.every((item, at) => item === after[at]) ? before : after;
}
