import { CapabilityStore, type DirectoryReport, inspectDirectory, openPostgres } from "@pml/core";
import { createEmbedder, type Embedder } from "@pml/embeddings";

import type { Surroundings } from "../run-command.js";
import type { Settings } from "../settings.js";
import { VERSION } from "../version.js";
import { formatBytes } from "./format.js";

/** One thing that was looked at. */
export interface Finding {
  what: "version" | "node" | "embedder" | "directory" | "database" | "memory";
  state: "ok" | "warning" | "failed";
  message: string;
  /** What to do about it. */
  advice?: string;
}

const LEAST_NODE: readonly [number, number] = [20, 19];

/** From the outside in. A memory that somebody else has open is not opened. */
export async function examine({ settings, progress }: Surroundings): Promise<Finding[]> {
  const findings: Finding[] = [{ what: "version", state: "ok", message: `pml ${VERSION}` }, examineNode()];
  progress.say("Loading the embedder …");
  const embedder = createEmbedder();
  findings.push(await attempt("embedder", () => examineEmbedder(embedder)));
  if ("directory" in settings.memory) {
    const report = await inspectDirectory(settings.memory.directory);
    findings.push(judgeDirectory(settings.memory.directory, report));
    if (report.state !== "ready" || report.lock?.alive === true) return findings;
  }
  progress.say("Opening the memory …");
  findings.push(await attempt("memory", () => examineMemory(settings, embedder)));
  await embedder.close?.();
  return findings;
}

function examineNode(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const [leastMajor, leastMinor] = LEAST_NODE;
  const isNew = major > leastMajor || (major === leastMajor && minor >= leastMinor);
  const message = `Node ${process.versions.node}`;
  if (isNew) return { what: "node", state: "ok", message };
  return { what: "node", state: "failed", message, advice: `Install Node ${LEAST_NODE.join(".")} or newer.` };
}

async function examineEmbedder(embedder: Embedder): Promise<Finding> {
  const startedAt = performance.now();
  await embedder.embed(["is anybody there?"]);
  const message = `${embedder.id}, ${embedder.dimensions} dimensions, ready in ${Math.round(performance.now() - startedAt)} ms`;
  return { what: "embedder", state: "ok", message };
}

const STATES: Record<DirectoryReport["state"], Omit<Finding, "what">> = {
  absent: { state: "warning", message: "is not there", advice: "It is made when something is first stored in it." },
  empty: { state: "warning", message: "is empty", advice: "It is filled when something is first stored in it." },
  foreign: { state: "failed", message: "holds something else", advice: "Choose another directory." },
  unfinished: { state: "warning", message: "was never finished", advice: "Open it: making it begins again." },
  damaged: { state: "failed", message: "is damaged", advice: "Restore a backup into another directory." },
  ready: { state: "ok", message: "is whole" },
};

function judgeDirectory(directory: string, { state, bytes, postgres, lock }: DirectoryReport): Finding {
  const found: Finding = { what: "directory", ...STATES[state] };
  if (state === "ready" && postgres.found !== postgres.known)
    return {
      what: "directory",
      state: "failed",
      message: `${directory} was written by PostgreSQL ${postgres.found}, and this is ${postgres.known}`,
      advice: "Make a backup with the version of @pml/core that wrote it, and restore that.",
    };
  if (lock?.alive === true)
    return {
      what: "directory",
      state: "warning",
      message: `${directory} is in use by process ${lock.pid} on ${lock.host}, since ${lock.since}`,
      advice: "Nothing else can open it meanwhile. Close it there, or use PostgreSQL to share.",
    };
  const size = state === "ready" ? `, ${formatBytes(bytes)}` : "";
  const stale = lock === undefined ? "" : "; the lock of a process that died is taken over when it is opened";
  return { ...found, message: `${directory} ${found.message}${size}${stale}` };
}

async function examineMemory({ memory, scope }: Settings, embedder: Embedder): Promise<Finding> {
  const where =
    "url" in memory
      ? { database: await openPostgres({ connectionString: memory.url }) }
      : { dataDir: memory.directory };
  await using store = await CapabilityStore.open({ ...where, scope, embedder });
  const { capabilities, runs, unfinished } = await store.getSummary();
  const message = `${capabilities.active} active, ${capabilities.degraded} degraded; ${runs.kept} runs kept`;
  if (unfinished === 0) return { what: "memory", state: "ok", message };
  const advice = `${unfinished} runs wait for an answer or were cut off: a host goes on with them by resume().`;
  return { what: "memory", state: "warning", message, advice };
}

async function attempt(what: Finding["what"], look: () => Promise<Finding>): Promise<Finding> {
  try {
    return await look();
  } catch (error) {
    // What fails here says itself what to do.
    return { what, state: "failed", message: (error as Error).message };
  }
}
