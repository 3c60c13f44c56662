import { statfsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { PmlError } from "../../model/error.js";
import { takeLock } from "./directory-lock.js";

/** The directory of a memory: `postgres/` for the data, `pml.json` for what it is, `lock.json` for who has it. */
export interface Directory {
  postgres: string;
  isNew: boolean;
  /** The data is whole: a crash before this makes the next opener begin again. */
  markReady(): Promise<void>;
  release(): Promise<void>;
  /** What an error while opening means for this directory. */
  explain(error: unknown): unknown;
}

/** Directories of PGlite do not outlive a major version of PostgreSQL. */
export const POSTGRES_MAJOR = "18";
/** With less than this, what failed failed for want of space. */
const LEAST_FREE_BYTES = 256 * 1024;
const MARKER = "pml.json";
export const LOCK = "lock.json";
/** Lock and marker are written aside first: a crash can leave such a file behind. */
const OURS = /^(postgres$|lock\.json|pml\.json)/;

export async function openDirectory(dataDir: string): Promise<Directory> {
  await makeDirectory(dataDir);
  await refuseForeign(dataDir);
  const lock = await takeLock(join(dataDir, LOCK)).catch((error: unknown) => {
    throw explain(error, dataDir);
  });
  try {
    const postgres = join(dataDir, "postgres");
    const isNew = (await readMarker(dataDir)) !== "ready";
    // Only what this code began to make and did not finish is ever removed.
    if (isNew) await rm(postgres, { recursive: true, force: true });
    else await checkMajor(postgres);
    if (isNew) await writeMarker(dataDir, "creating");
    return {
      postgres,
      isNew,
      markReady: async () => (isNew ? writeMarker(dataDir, "ready") : undefined),
      release: () => lock.release(),
      explain: (error) => explain(error, dataDir),
    };
  } catch (error) {
    await lock.release();
    throw explain(error, dataDir);
  }
}

async function makeDirectory(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true });
  } catch (error) {
    throw unwritable(dataDir, error);
  }
}

async function refuseForeign(dataDir: string): Promise<void> {
  const names = await readdir(dataDir);
  const marked = names.includes(MARKER);
  const foreign = names.filter((name) => !OURS.test(name) || (name === "postgres" && !marked));
  if (marked || foreign.length === 0) return;
  throw new PmlError(
    "PML_DIRECTORY_FOREIGN",
    `${dataDir} holds files that are not a memory's. Choose another directory.`,
    {
      details: { dataDir, found: foreign.slice(0, 5) },
    },
  );
}

export async function readMarker(dataDir: string): Promise<string | undefined> {
  const text = await readFile(join(dataDir, MARKER), "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    return (JSON.parse(text) as { state?: string }).state;
  } catch (error) {
    throw damaged(dataDir, `${MARKER} is not readable`, error);
  }
}

async function writeMarker(dataDir: string, state: "creating" | "ready"): Promise<void> {
  const path = join(dataDir, MARKER);
  await writeFile(`${path}.new`, `${JSON.stringify({ format: 1, postgres: POSTGRES_MAJOR, state })}\n`);
  await rename(`${path}.new`, path);
}

async function checkMajor(postgres: string): Promise<void> {
  const version = await readFile(join(postgres, "PG_VERSION"), "utf8").catch(() => undefined);
  if (version === undefined) throw damaged(postgres, "PG_VERSION is missing");
  const major = version.trim();
  if (major === POSTGRES_MAJOR) return;
  const message = `${postgres} was written by PostgreSQL ${major.slice(0, 20)}, and this is ${POSTGRES_MAJOR}. Make a backup with the version of @pml/core that wrote it, and restore that.`;
  throw new PmlError(/^\d+$/.test(major) ? "PML_DATABASE_NEWER" : "PML_DATABASE_DAMAGED", message, {
    details: { found: major.slice(0, 20), known: POSTGRES_MAJOR },
  });
}

function damaged(path: string, what: string, cause?: unknown): PmlError {
  const message = `${path} cannot be opened: ${what}. Nothing was changed. Restore a backup into another directory.`;
  return new PmlError("PML_DATABASE_DAMAGED", message, { details: { path }, cause });
}

function unwritable(dataDir: string, cause: unknown): PmlError {
  const message = `${dataDir} cannot be written: ${(cause as Error).message}`;
  return new PmlError("PML_DIRECTORY_UNWRITABLE", message, { details: { dataDir }, cause });
}

function isFull(dataDir: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dataDir);
    return bavail * bsize < LEAST_FREE_BYTES;
  } catch {
    return false;
  }
}

function explain(error: unknown, dataDir: string): unknown {
  if (error instanceof PmlError && error.code !== "PML_DATABASE" && error.code !== "PML_DATABASE_CRASHED") return error;
  const { code = "", message = "" } = error as { code?: string; message?: string };
  const details = { dataDir };
  // PGlite says no more than that a file operation failed.
  if (code === "ENOSPC" || isFull(dataDir))
    return new PmlError("PML_DISK_FULL", `There is no space left for ${dataDir}.`, { details, cause: error });
  if (["EACCES", "EPERM", "EROFS"].includes(code)) return unwritable(dataDir, error);
  return damaged(dataDir, message || String(error), error);
}
