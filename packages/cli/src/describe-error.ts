import { EXIT_CODES } from "./exit-codes.js";
import { plainText } from "./plain-text.js";

export interface DescribedError {
  data: { code: string; message: string; details: unknown };
  text: string;
  exitCode: number;
}

const MISUSE: ReadonlySet<string> = new Set(["CLI_INVALID_ARGUMENT", "PML_INVALID_INPUT", "PML_NAME_INVALID"]);

/** Errors of PML say what to do; any other is a fault of ours, and its message all there is. */
export function describeError(error: unknown): DescribedError {
  const { code = "INTERNAL", message = String(error), details = {} } = error as Partial<DescribedError["data"]>;
  return {
    data: { code, message, details },
    text: `${plainText(message)} [${code}]`,
    exitCode: MISUSE.has(code) ? EXIT_CODES.usage : EXIT_CODES.failed,
  };
}
