import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";

import { findLockHolder, type LockHolder } from "./directory-lock.js";
import { PmlError } from "../../model/error.js";
import { LOCK, POSTGRES_MAJOR, readMarker } from "./directory.js";

/** What can be said of a directory from outside, while somebody else may have it open. */
export interface DirectoryReport {
  /** `unfinished`: it was being made when its maker died, and is made anew when it is opened. */
  state: "absent" | "empty" | "foreign" | "unfinished" | "damaged" | "ready";
  /** The PostgreSQL that wrote it, and the one this code opens. */
  postgres: { found: string | undefined; known: string };
  bytes: number;
  /** A holder that is not alive is no hindrance: the next opener takes its place. */
  lock: LockHolder | undefined;
}

/** Reads, and changes nothing. */
export async function inspectDirectory(dataDir: string): Promise<DirectoryReport> {
  const names = await readdir(dataDir).catch(() => undefined);
  const found = await readFile(join(dataDir, "postgres", "PG_VERSION"), "utf8").catch(() => undefined);
  return {
    state: await judge(dataDir, { names, isWritten: found !== undefined }),
    postgres: { found: found?.trim().slice(0, 20), known: POSTGRES_MAJOR },
    bytes: names === undefined ? 0 : await measure(dataDir),
    lock: await findLockHolder(join(dataDir, LOCK)),
  };
}

async function judge(
  dataDir: string,
  { names, isWritten }: { names: string[] | undefined; isWritten: boolean },
): Promise<DirectoryReport["state"]> {
  if (names === undefined) return "absent";
  if (names.length === 0) return "empty";
  try {
    const state = await readMarker(dataDir);
    if (state === undefined) return "foreign";
    if (state !== "ready") return "unfinished";
    return isWritten ? "ready" : "damaged";
  } catch (error) {
    return error instanceof PmlError && error.code === "PML_DIRECTORY_FOREIGN" ? "foreign" : "damaged";
  }
}

async function measure(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile());
  const sizes = files.map((file) =>
    stat(join(file.parentPath, file.name)).then(
      ({ size }) => size,
      () => 0,
    ),
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
