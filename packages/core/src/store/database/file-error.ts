import { statfsSync } from "node:fs";

import { PmlError } from "../../model/error.js";

/** With less than this, what failed failed for want of space. */
const LEAST_FREE_BYTES = 256 * 1024;
/** Of the operating system: they speak of the way to a file, not of what is in it. */
const NO_WAY = /^E(ACCES|BUSY|EXIST|ISDIR|LOOP|MFILE|NAMETOOLONG|NFILE|NOENT|NOTDIR|PERM|ROFS)$/;

/** What a failure with a file means, if it means that there is no space or no way to it. */
export function findFileError(error: unknown, path: string): PmlError | undefined {
  const code = findSystemCode(error);
  const details = { path };
  // PGlite says no more than that a file operation failed.
  if (code === "ENOSPC" || isFull(path))
    return new PmlError("PML_DISK_FULL", `There is no space left for ${path}.`, { details, cause: error });
  return NO_WAY.test(code) ? unwritable(path, error) : undefined;
}

export function unwritable(path: string, cause: unknown): PmlError {
  const message = `${path} cannot be used: ${(cause as Error).message}`;
  return new PmlError("PML_DIRECTORY_UNWRITABLE", message, { details: { path }, cause });
}

/** An error of the database's thread carries it where others have the code of a statement. */
function findSystemCode(error: unknown): string {
  if (error instanceof PmlError) return String(error.details["sqlState"] ?? "");
  return String((error as { code?: unknown } | null)?.code ?? "");
}

function isFull(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize < LEAST_FREE_BYTES;
  } catch {
    return false;
  }
}
