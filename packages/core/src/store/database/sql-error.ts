import { PmlError, type PmlErrorCode } from "../../model/error.js";

/** What either driver throws: an error with an SQLSTATE. */
export interface SqlFault {
  message: string;
  /** SQLSTATE, or a code of the operating system. */
  code?: string | undefined;
}

const DAMAGED = /^(XX001|XX002)$/;
const FULL = /ENOSPC|No space left|disk full|53100/i;
const UNAVAILABLE = /^(08|57P0|ECONN|ENOTFOUND|ETIMEDOUT|EPIPE)/;

/** The PmlError for what a database said. `cause` keeps the words of the database. */
export function databaseError(fault: SqlFault, cause?: unknown): PmlError {
  const { code, advice } = classify(fault);
  const details = fault.code === undefined ? {} : { sqlState: fault.code };
  return new PmlError(code, `${advice}: ${fault.message}`, { details, cause });
}

function classify({ message, code = "" }: SqlFault): { code: PmlErrorCode; advice: string } {
  if (code === "53100" || FULL.test(`${code} ${message}`))
    return { code: "PML_DISK_FULL", advice: "The disk is full; free some space, nothing stored is lost" };
  if (DAMAGED.test(code) || /invalid page|could not read block|unexpected EOF/i.test(message))
    return { code: "PML_DATABASE_DAMAGED", advice: "Stored files are damaged; restore a backup" };
  if (UNAVAILABLE.test(code)) return { code: "PML_DATABASE_UNAVAILABLE", advice: "The database cannot be reached" };
  if (code.startsWith("23")) return { code: "PML_CONFLICT", advice: "The database refused a value" };
  return { code: "PML_DATABASE", advice: "The database refused a statement" };
}
