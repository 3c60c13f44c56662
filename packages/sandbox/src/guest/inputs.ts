/** Names that code finds in its scope whatever its inputs are called. */
export const SCOPE_NAMES = [
  "args",
  "context",
  "mcp",
  "capabilities",
  "pml",
  "console",
  "globalThis",
  "__pmlHost",
] as const;

const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u;

/** Words that cannot be bound in strict code inside an async function. */
const WORDS = new Set(
  `arguments await break case catch class const continue debugger default delete do else enum eval export extends false
  finally for function if implements import in instanceof interface let new null package private protected public return
  static super switch this throw true try typeof undefined var void while with yield NaN Infinity`.split(/\s+/),
);

/** The keys of an input that code can also use as free identifiers. `isGlobal` names keep their own meaning. */
export function listInputNames(input: unknown, isGlobal: (name: string) => boolean): string[] {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return [];
  return Object.keys(input).filter((name) => IDENTIFIER.test(name) && !isReserved(name) && !isGlobal(name));
}

function isReserved(name: string): boolean {
  return WORDS.has(name) || name.startsWith("__pml") || (SCOPE_NAMES as readonly string[]).includes(name);
}
