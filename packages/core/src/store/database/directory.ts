import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { PmlError } from "../../model/error.js";
import { takeLock } from "./directory-lock.js";
import { findFileError, unwritable } from "./file-error.js";

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

type State = "creating" | "ready";

interface Marker {
  format: number;
  postgres: string;
  state: State;
}

const FORMAT = 1;
/** Directories of PGlite do not outlive a major version of PostgreSQL. */
export const POSTGRES_MAJOR = "18";
const MARKER = "pml.json";
export const LOCK = "lock.json";
/** Lock and marker are written aside first: a crash can leave such a file behind. */
const OURS = /^(postgres$|lock\.json|pml\.json)/;

export async function openDirectory(dataDir: string): Promise<Directory> {
  await makeDirectory(dataDir);
  try {
    await refuseForeign(dataDir);
    const lock = await takeLock(join(dataDir, LOCK));
    try {
      const postgres = join(dataDir, "postgres");
      const isNew = await prepare(dataDir, postgres);
      return {
        postgres,
        isNew,
        markReady: async () => (isNew ? writeMarker(dataDir, "ready") : undefined),
        release: () => lock.release(),
        explain: (error) => explain(error, dataDir),
      };
    } catch (error) {
      await lock.release();
      throw error;
    }
  } catch (error) {
    throw explain(error, dataDir);
  }
}

/** Whether the data is still to be made. Only what this code began to make and did not finish is ever removed. */
async function prepare(dataDir: string, postgres: string): Promise<boolean> {
  const state = await readMarker(dataDir);
  if (state === "ready") {
    await checkMajor(postgres);
    // A crash can leave this half written, and PostgreSQL stops at that. Whose turn it is, our own lock says.
    await rm(join(postgres, "postmaster.pid"), { force: true });
    return false;
  }
  if (state === "creating") await rm(postgres, { recursive: true, force: true });
  else await writeMarker(dataDir, "creating");
  return true;
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
  const others = names.filter((name) => !OURS.test(name) || (name === "postgres" && !marked));
  if (!marked && others.length > 0) throw foreign(dataDir, others);
}

function foreign(dataDir: string, found: readonly string[]): PmlError {
  const message = `${dataDir} holds files that are not a memory's. Choose another directory.`;
  return new PmlError("PML_DIRECTORY_FOREIGN", message, { details: { dataDir, found: found.slice(0, 5) } });
}

/** Undefined if there is none. One that cannot be read, or says something else, is no leave to begin anew. */
export async function readMarker(dataDir: string): Promise<State | undefined> {
  try {
    const { format, state } = JSON.parse(await readFile(join(dataDir, MARKER), "utf8")) as Partial<Marker>;
    if (typeof format === "number" && format > FORMAT) throw newer(dataDir, `format ${format}`, `format ${FORMAT}`);
    if (state === "creating" || state === "ready") return state;
    throw foreign(dataDir, [MARKER]);
  } catch (error) {
    if ((error as { code?: string }).code === "ENOENT") return undefined;
    throw error instanceof SyntaxError || error instanceof TypeError
      ? damaged(dataDir, `${MARKER} is not readable`, error)
      : error;
  }
}

async function writeMarker(dataDir: string, state: State): Promise<void> {
  const path = join(dataDir, MARKER);
  await writeFile(`${path}.new`, `${JSON.stringify({ format: FORMAT, postgres: POSTGRES_MAJOR, state })}\n`);
  await rename(`${path}.new`, path);
}

async function checkMajor(postgres: string): Promise<void> {
  const version = await readFile(join(postgres, "PG_VERSION"), "utf8").catch((error: unknown) => {
    throw damaged(postgres, "PG_VERSION cannot be read", error);
  });
  const major = version.trim();
  if (major === POSTGRES_MAJOR) return;
  if (!/^\d+$/.test(major)) throw damaged(postgres, "PG_VERSION is not readable");
  throw newer(postgres, `PostgreSQL ${major.slice(0, 20)}`, POSTGRES_MAJOR);
}

function newer(path: string, found: string, known: string): PmlError {
  const message = `${path} was written by ${found}, and this is ${known}. Make a backup with the version of @pml/core that wrote it, and restore that.`;
  return new PmlError("PML_DATABASE_NEWER", message, { details: { found, known } });
}

function damaged(path: string, what: string, cause?: unknown): PmlError {
  const message = `${path} cannot be opened: ${what}. Nothing was changed. Restore a backup into another directory.`;
  return new PmlError("PML_DATABASE_DAMAGED", message, { details: { path }, cause });
}

function explain(error: unknown, dataDir: string): unknown {
  if (error instanceof PmlError && error.code !== "PML_DATABASE" && error.code !== "PML_DATABASE_CRASHED") return error;
  return findFileError(error, dataDir) ?? damaged(dataDir, (error as Error).message || String(error), error);
}
