import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { link, readFile, rename, unlink, writeFile } from "node:fs/promises";
import { hostname } from "node:os";

import { PmlError } from "../../model/error.js";

export interface DirectoryLock {
  release(): Promise<void>;
}

interface Owner {
  pid: number;
  host: string;
  /** When the process began, where the system says so: a pid alone may have come round again. */
  started: string | undefined;
  token: string;
  since: string;
}

/** What stands in a lock: its owner, text that none of ours wrote, or nothing, as it is gone. */
type Found = Owner | "unreadable" | "gone";

/** Who has a directory, as far as its lock tells. */
export type LockHolder = Pick<Owner, "pid" | "host" | "since"> & { alive: boolean };

export async function findLockHolder(path: string): Promise<LockHolder | undefined> {
  const owner = await readOwner(path);
  return isOwner(owner) ? { pid: owner.pid, host: owner.host, since: owner.since, alive: isAlive(owner) } : undefined;
}

const ATTEMPTS = 20;
const PAUSE_MS = 25;

/**
 * Makes this process the only one to use a directory: two on one PGlite directory destroy it, and nothing below us
 * holds them apart. A lock whose owner is dead is taken over; a live owner's never is.
 */
export async function takeLock(path: string): Promise<DirectoryLock> {
  const owner = describeSelf();
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (await putNew(path, owner)) return { release: () => releaseLock(path, owner) };
    const found = await readOwner(path);
    if (isOwner(found) && isAlive(found)) throw lockedBy(path, found);
    if (found === "gone") await pause();
    else await removeStale(path, found);
  }
  throw lockedBy(path, await readOwner(path));
}

/** The file appears whole or not at all: it is written aside and linked to its name, which fails if that is taken. */
async function putNew(path: string, owner: Owner): Promise<boolean> {
  const aside = `${path}.${owner.token}`;
  try {
    await writeFile(aside, `${JSON.stringify(owner)}\n`);
    await link(aside, path);
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === "EEXIST") return false;
    throw error;
  } finally {
    await unlink(aside).catch(() => {});
  }
}

/** One of those who found the dead owner removes its lock; the claim keeps the others from removing the next one's. */
async function removeStale(path: string, found: Found): Promise<void> {
  const claim = describeSelf();
  if (!(await putNew(`${path}.claim`, claim))) {
    const claimant = await readOwner(`${path}.claim`);
    if (claimant === "unreadable" || (isOwner(claimant) && !isAlive(claimant)))
      await unlink(`${path}.claim`).catch(() => {});
    return pause();
  }
  if (isSame(await readOwner(path), found)) await unlink(path).catch(() => {});
  await unlink(`${path}.claim`).catch(() => {});
}

function isOwner(found: Found): found is Owner {
  return typeof found === "object";
}

/** What is gone is never the same: what comes in its place is somebody's. */
function isSame(now: Found, before: Found): boolean {
  if (!isOwner(now) || !isOwner(before)) return now === before && now !== "gone";
  return now.token === before.token;
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}

async function releaseLock(path: string, owner: Owner): Promise<void> {
  const found = await readOwner(path);
  if (!isSame(found, owner)) return;
  const aside = `${path}.${owner.token}`;
  await rename(path, aside).catch(() => {});
  await unlink(aside).catch(() => {});
}

/** That a file cannot be read, for want of file handles say, does not mean that nobody has written it. */
async function readOwner(path: string): Promise<Found> {
  try {
    const owner = JSON.parse(await readFile(path, "utf8")) as Partial<Owner> | null;
    return Number.isSafeInteger(owner?.pid) && typeof owner?.host === "string" ? (owner as Owner) : "unreadable";
  } catch (error) {
    if (error instanceof SyntaxError) return "unreadable";
    if ((error as { code?: string }).code === "ENOENT") return "gone";
    throw error;
  }
}

function describeSelf(): Owner {
  const { pid } = process;
  return { pid, host: hostname(), started: readStart(pid), token: randomUUID(), since: new Date().toISOString() };
}

/** An owner on another machine cannot be asked, so it counts as alive. */
function isAlive(owner: Owner): boolean {
  if (owner.host !== hostname()) return true;
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    return (error as { code?: string }).code === "EPERM";
  }
  return owner.started === undefined || owner.started === readStart(owner.pid);
}

/** In clock ticks since boot: the 22nd field of /proc/pid/stat, counted behind the name, which may hold spaces. */
function readStart(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  } catch {
    return undefined;
  }
}

function lockedBy(path: string, found: Found): PmlError {
  const owner = isOwner(found) ? found : undefined;
  const who = owner === undefined ? "another process" : `process ${owner.pid} on ${owner.host}, since ${owner.since}`;
  const elsewhere = owner !== undefined && owner.host !== hostname();
  const advice = elsewhere ? `If that machine is gone, delete ${path}.` : "Close it there, or use PostgreSQL to share.";
  const details = { path, ...(owner && { pid: owner.pid, host: owner.host, since: owner.since }) };
  return new PmlError("PML_DATABASE_LOCKED", `The directory is in use by ${who}. ${advice}`, { details });
}
