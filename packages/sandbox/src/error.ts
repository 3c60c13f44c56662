/** Every code a `SandboxError` can have; `docs/errors.md` says what to do about each. */
export const SANDBOX_ERROR_CODES = [
  "SANDBOX_ABORTED",
  "SANDBOX_ARGUMENTS_TOO_LARGE",
  "SANDBOX_CAPABILITY_DEPTH",
  "SANDBOX_CAPABILITY_NOT_FOUND",
  "SANDBOX_CLOSED",
  "SANDBOX_CODE_THREW",
  "SANDBOX_CONCURRENT_TOOL_CALLS",
  "SANDBOX_CRASHED",
  "SANDBOX_FORBIDDEN_SYNTAX",
  "SANDBOX_INPUT_TOO_LARGE",
  "SANDBOX_INVALID_OPTIONS",
  "SANDBOX_LOG_LINES",
  "SANDBOX_MEMORY",
  "SANDBOX_OUTPUT_TOO_LARGE",
  "SANDBOX_POWER_DENIED",
  "SANDBOX_PROTOCOL",
  "SANDBOX_RESULT_TOO_LARGE",
  "SANDBOX_STACK_OVERFLOW",
  "SANDBOX_STALLED",
  "SANDBOX_START_FAILED",
  "SANDBOX_SYNTAX",
  "SANDBOX_TIMEOUT",
  "SANDBOX_TOOL_CALLS",
  "SANDBOX_TOOL_DENIED",
  "SANDBOX_TOOL_FAILED",
  "SANDBOX_TOOL_NOT_FOUND",
  "SANDBOX_UNKNOWN_GLOBAL",
  "SANDBOX_VALUE_REFUSED",
] as const;

export type SandboxErrorCode = (typeof SANDBOX_ERROR_CODES)[number];

/** An error as data: what crosses from the child, and what a `SandboxError` is made of. */
export interface Fault {
  code: SandboxErrorCode;
  message: string;
  /** JSON. */
  details: Record<string, unknown>;
}

export class SandboxError extends Error {
  override readonly name = "SandboxError";
  readonly code: SandboxErrorCode;
  readonly details: Record<string, unknown>;

  constructor({ code, message, details }: Fault, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.details = details;
  }
}

export function isSandboxErrorCode(value: unknown): value is SandboxErrorCode {
  return (SANDBOX_ERROR_CODES as readonly unknown[]).includes(value);
}

/** What the caller passed cannot be used; thrown before anything runs. */
export function invalidOptions(message: string, details: Record<string, unknown> = {}): SandboxError {
  return new SandboxError({ code: "SANDBOX_INVALID_OPTIONS", message, details });
}
