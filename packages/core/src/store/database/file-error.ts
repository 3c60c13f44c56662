import { statfsSync } from "node:fs";

import { PmlError } from "../../model/error.js";

/** With less than this, what failed failed for want of space. */
const LEAST_FREE_BYTES = 256 * 1024;
/** Of the operating system: they speak of the way to a file, not of what is in it. */
const NO_WAY = /^E(ACCES|BUSY|EXIST|ISDIR|LOOP|MFILE|NAMETOOLONG|NFILE|NOENT|NOTDIR|PERM|ROFS)$/;

/** What a failure with a file means, if it means that there is no space or no way to it. */
export function findFileError(error: unknown, path: string): PmlError | undefined {
  const code = findSystemCode(error);
  // PGlite says no more than that a file operation failed.
  if (code === "ENOSPC" || hasLess(path, LEAST_FREE_BYTES)) return diskFull(path, error);
  return NO_WAY.test(code) ? unwritable(path, error) : undefined;
}

export function diskFull(path: string, cause?: unknown): PmlError {
  const message = `There is no space left for ${path}. Nothing that was acknowledged is lost: free some, and open it again.`;
  return new PmlError("PML_DISK_FULL", message, { details: { path }, cause });
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

/** Whether the disk has less free than so many bytes. */
export function hasLess(path: string, bytes: number): boolean {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize < bytes;
  } catch {
    return false;
  }
}
