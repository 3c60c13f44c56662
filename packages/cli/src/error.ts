/** Every code a `CliError` can have; `docs/errors.md` says what to do about each. */
export const CLI_ERROR_CODES = ["CLI_INVALID_ARGUMENT", "CLI_NO_MEMORY", "CLI_UNREADABLE", "CLI_UNWRITABLE"] as const;

export type CliErrorCode = (typeof CLI_ERROR_CODES)[number];

export class CliError extends Error {
  override readonly name = "CliError";
  readonly code: CliErrorCode;
  /** JSON. */
  readonly details: Record<string, unknown>;

  constructor(code: CliErrorCode, message: string, options: ErrorOptions & { details?: Record<string, unknown> } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details ?? {};
  }
}
