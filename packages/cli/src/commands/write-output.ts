import { writeFile } from "node:fs/promises";

import { CliError } from "../error.js";

/** Into a file that the user named. */
export async function writeOutput(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text);
  } catch (error) {
    const message = `${file} cannot be written: ${(error as Error).message}`;
    throw new CliError("CLI_UNWRITABLE", message, { cause: error, details: { file } });
  }
}
