import { InvalidArgumentError } from "commander";

/** For `.option(…, readCount)`. */
export function readCount(text: string): number {
  const count = Number(text);
  if (!Number.isSafeInteger(count) || count < 1) throw new InvalidArgumentError("It is a whole number from 1.");
  return count;
}

/** What stands at the end of a command's help. */
export function examples(...lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  $ pml ${line}`).join("\n")}`;
}
