/** Everything that can be wrong with what the analyzer is given. `docs/errors.md` explains each. */
export const ANALYZER_ERROR_CODES = [
  "ANALYZER_INVALID_INPUT",
  "ANALYZER_SYNTAX",
  "ANALYZER_UNSUPPORTED_SYNTAX",
  "ANALYZER_TOO_LARGE",
  "ANALYZER_TOO_DEEP",
  "ANALYZER_TOO_COMPLEX",
  "ANALYZER_UNKNOWN_GLOBAL",
  "ANALYZER_UNDECLARED_NAME",
  "ANALYZER_RESERVED_NAME",
  "ANALYZER_NOT_CALLABLE",
  "ANALYZER_TYPES_UNAVAILABLE",
  "ANALYZER_INVALID_DAG",
] as const;

export type AnalyzerErrorCode = (typeof ANALYZER_ERROR_CODES)[number];

/** Where in the agent's code it went wrong. Lines and columns count from 1. */
export interface AnalyzerErrorDetails {
  readonly line?: number;
  readonly column?: number;
  /** The lines around the position, with a caret under it. */
  readonly frame?: string;
  readonly [extra: string]: unknown;
}

export class AnalyzerError extends Error {
  override readonly name = "AnalyzerError";
  readonly code: AnalyzerErrorCode;
  readonly details: AnalyzerErrorDetails;

  constructor(
    code: AnalyzerErrorCode,
    message: string,
    more: { details?: AnalyzerErrorDetails; cause?: unknown } = {},
  ) {
    const { details = {}, cause } = more;
    super(details.frame ? `${message}\n${details.frame}` : message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.details = details;
  }
}

/** V8 and acorn both say so when the stack runs out; the text is the only thing they have in common. */
export function isStackOverflow(error: unknown): boolean {
  return error instanceof Error && /call stack|stack space|too much recursion/i.test(error.message);
}
