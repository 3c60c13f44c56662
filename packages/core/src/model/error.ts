/** Every code a `PmlError` can have; `docs/errors.md` says what to do about each. */
export const PML_ERROR_CODES = [
  "PML_APPROVAL_EXPIRED",
  "PML_BUNDLE_INVALID",
  "PML_CAPABILITY_CYCLE",
  "PML_CAPABILITY_DEGRADED",
  "PML_CAPABILITY_NOT_FOUND",
  "PML_CLOSED",
  "PML_CONFLICT",
  "PML_DATABASE",
  "PML_DATABASE_CRASHED",
  "PML_DATABASE_DAMAGED",
  "PML_DATABASE_LOCKED",
  "PML_DATABASE_NEWER",
  "PML_DATABASE_UNAVAILABLE",
  "PML_DIRECTORY_FOREIGN",
  "PML_DIRECTORY_UNWRITABLE",
  "PML_DISK_FULL",
  "PML_DRY_RUN_FAILED",
  "PML_EMBEDDER",
  "PML_INTERNAL",
  "PML_INVALID_ARGUMENTS",
  "PML_INVALID_INPUT",
  "PML_INVALID_RESULT",
  "PML_NAME_AMBIGUOUS",
  "PML_NAME_CHANGED",
  "PML_NAME_INVALID",
  "PML_NAME_TAKEN",
  "PML_NESTED_TRANSACTION",
  "PML_NOT_EMPTY",
  "PML_NOT_FOUND",
  "PML_PERMISSION_DENIED",
  "PML_REJECTED",
  "PML_REPLAY_UNKNOWN_CALL",
  "PML_RESUME_NEEDS_CONTEXT",
  "PML_SIGNATURE_MISMATCH",
  "PML_TAINTED",
  "PML_TOOL_NOT_FOUND",
  "PML_TOOL_TIMEOUT",
  "PML_VERSION_DIFFERS",
] as const;

export type PmlErrorCode = (typeof PML_ERROR_CODES)[number];

export class PmlError extends Error {
  override readonly name = "PmlError";
  readonly code: PmlErrorCode;
  /** JSON. */
  readonly details: Record<string, unknown>;

  constructor(code: PmlErrorCode, message: string, options: ErrorOptions & { details?: Record<string, unknown> } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details ?? {};
  }
}

export function invalidInput(message: string, details: Record<string, unknown> = {}): PmlError {
  return new PmlError("PML_INVALID_INPUT", message, { details });
}
