import { mkdirSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";

import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";
import { parseTar } from "nanotar";

import type { WorkerOptions, WorkerReply, WorkerRequest } from "./wire.js";

// PGlite computes on the thread it is on. Here, a slow query keeps nobody waiting but who asked for it.
const port = parentPort;
if (port === null) throw new Error("This file is the start of a worker thread.");
const say = (reply: WorkerReply): void => port.postMessage(reply);

try {
  const database = await open(workerData as WorkerOptions);
  // One at a time: PGlite is one connection.
  let last: Promise<void> = Promise.resolve();
  port.on("message", (request: WorkerRequest) => {
    last = last.then(() => answer(database, request));
  });
  say({ type: "ready" });
} catch (error) {
  say({ type: "fault", ...describe(error) });
}

async function open({ directory, snapshot }: WorkerOptions): Promise<PGlite> {
  const bytes = snapshot === undefined ? undefined : await readFile(snapshot);
  if (directory === undefined)
    return PGlite.create({ extensions: { vector }, ...(bytes && { loadDataDir: new Blob([bytes]) }) });
  if (bytes !== undefined) unpack(bytes, directory);
  return PGlite.create({ dataDir: directory, extensions: { vector } });
}

/** PGlite can do this too, through its emulation of a file system; it takes five times as long. */
function unpack(bytes: Uint8Array, directory: string): void {
  mkdirSync(directory);
  for (const { name, type, data } of parseTar(bytes))
    if (type === "directory") mkdirSync(join(directory, name), { recursive: true });
    else writeFileSync(join(directory, name), data ?? new Uint8Array());
}

async function answer(database: PGlite, request: WorkerRequest): Promise<void> {
  const { id } = request;
  try {
    const rows = await perform(database, request);
    say({ type: "answer", id, ...(rows && { rows }) });
    if (request.type === "close") port?.close();
  } catch (error) {
    say({ type: "fault", id, ...describe(error) });
  }
}

async function perform(database: PGlite, request: WorkerRequest): Promise<Record<string, unknown>[] | undefined> {
  switch (request.type) {
    case "query":
      return (await database.query<Record<string, unknown>>(request.sql, [...request.parameters])).rows;
    case "exec":
      await database.exec(request.sql);
      return undefined;
    case "listen":
      await listen(database, request.channel);
      return undefined;
    case "close":
      await database.close();
      return undefined;
  }
}

const listening = new Set<string>();

async function listen(database: PGlite, channel: string): Promise<void> {
  if (listening.has(channel)) return;
  listening.add(channel);
  await database.listen(channel, (payload) => say({ type: "notification", channel, payload }));
}

function describe(error: unknown): { message: string; code?: string | undefined } {
  if (typeof error !== "object" || error === null) return { message: String(error) };
  const { message, code } = error as { message?: unknown; code?: unknown };
  return { message: String(message ?? error), code: typeof code === "string" ? code : undefined };
}
