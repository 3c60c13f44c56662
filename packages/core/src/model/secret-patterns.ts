export const REDACTED = "[redacted]";

/** Names before a value in text: in the query of a URL, in a form, in JSON inside a text. */
const NAME =
  "(?:[\\w.-]{0,40}[_.-])?(?:password|passwd|pwd|passphrase|passcode|secret|credentials?|authorization|(?:api|access|auth|private|secret|client|signing|encryption|session)[_-]?(?:key|token|secret)|token|signature|sig)";

/**
 * Texts that are secrets wherever they stand, by the marks their makers give them, and values beside a name that says so.
 * What stands in the first group is kept. Every repetition that something has to follow is bounded: text comes from
 * anybody, and looking through it has to take time in proportion to its length.
 */
const PATTERNS: readonly RegExp[] = [
  /\b()(?:sk|pk|rk)[-_](?=[A-Za-z_-]{0,60}\d)[A-Za-z0-9_-]{20,}/g,
  /\b()gh[pousr]_[A-Za-z0-9]{30,}/g,
  /\b()github_pat_[A-Za-z0-9_]{40,}/g,
  /\b()glpat-[A-Za-z0-9_-]{20,}/g,
  /\b()(?:npm|hf)_[A-Za-z0-9]{30,}/g,
  /\b()(?:xox[abeoprs]|xapp)-[A-Za-z0-9-]{10,}/g,
  /\b()SG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,}/g,
  /\b()(?:AKIA|ASIA)[0-9A-Z]{16}\b/g,
  /\b()AIza[0-9A-Za-z_-]{35}/g,
  /\b()ya29\.[0-9A-Za-z_-]{20,}/g,
  /\b()eyJ[A-Za-z0-9_-]{10,2000}\.eyJ[A-Za-z0-9_-]{10,8000}\.[A-Za-z0-9_-]{10,}/g,
  /\b(Bearer\s{1,4})[A-Za-z0-9._~+/=-]{16,}/gi,
  /\b(authorization\\{0,3}["']?\s{0,4}[:=]\s{0,4}\\{0,3}["']?(?:basic|bearer|token|digest)\s{1,4})[^\s"',\\]{4,}/gi,
  // The name and password of a URL. A password may hold a colon, and an @ that should have been written as %40.
  /(:\/\/[^/\s:@"'<>]{0,200}:)[^/\s"'<>]{1,200}(?=@)/g,
  new RegExp(`([?&;#]${NAME}=)[^&\\s#"'<>]{1,}`, "gi"),
  new RegExp(`(^${NAME}=)[^&\\s#"'<>]{1,}(?=&|$)`, "gi"),
  new RegExp(`((?<![\\w.-])${NAME}\\\\{0,3}["']?\\s{0,4}[:=]\\s{0,4}\\\\{0,3}")[^"\\\\\\n]{3,}`, "gi"),
  new RegExp(`((?<![\\w.-])${NAME}\\\\{0,3}["']?\\s{0,4}[:=]\\s{0,4}\\\\{0,3}')[^'\\\\\\n]{3,}`, "gi"),
];

/** What a host's own patterns match is taken out whole. */
export function redactPatterns(text: string, more: readonly RegExp[]): string {
  if (text.length < SHORTEST) return text;
  const known = PATTERNS.reduce((left, each) => left.replace(each, `$1${REDACTED}`), redactPem(text));
  return more.reduce((left, each) => left.replace(each, REDACTED), known);
}

/** Nothing shorter has a mark and something to hide. */
const SHORTEST = 6;

const PEM_BEGIN = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const PEM_END = /-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;

/** By hand, in one pass: as a pattern it would look for the end of the text from every beginning of a key. */
function redactPem(text: string): string {
  if (!text.includes("-----BEGIN")) return text;
  let clean = "";
  let at = 0;
  for (let begin = search(PEM_BEGIN, text, 0); begin !== undefined; begin = search(PEM_BEGIN, text, at)) {
    // A key without an end was cut off; what is there of it is secret.
    const end = search(PEM_END, text, begin.end) ?? { start: text.length, end: text.length };
    clean += text.slice(at, begin.start) + REDACTED;
    at = end.end;
  }
  return clean + text.slice(at);
}

function search(pattern: RegExp, text: string, from: number): { start: number; end: number } | undefined {
  pattern.lastIndex = from;
  const found = pattern.exec(text);
  return found === null ? undefined : { start: found.index, end: found.index + found[0].length };
}
