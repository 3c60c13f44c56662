import { readFileSync } from "node:fs";
import { join } from "node:path";

import type { StoredRequest } from "@pml/core";

import { DATA_FOLDER, type DataSet } from "./data.js";
import { embedAll } from "./vectors.js";

/** Another wording of a stored request. */
export interface Paraphrase {
  task: string;
  language: string;
  text: string;
  vector: Float32Array;
}

export interface ParaphraseData {
  requests: StoredRequest[];
  paraphrases: Paraphrase[];
  /** Wordings left out because they repeat the request to the letter. */
  repeated: number;
}

export async function readParaphrases({ name, tasks }: DataSet): Promise<ParaphraseData> {
  const vectors = await embedAll(
    `${name}-requests`,
    tasks.map(({ intent }) => intent),
  );
  const requests = tasks.map((task, row) => ({
    id: task.id,
    text: task.intent,
    vector: vectors[row] as Float32Array,
    toolIds: task.tools,
  }));
  const rows = readFileSync(join(DATA_FOLDER, name, "paraphrases.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { task: string; lang: string; intent: string });
  const originals = new Map(tasks.map(({ id, intent }) => [id, plain(intent)]));
  const paraphraseVectors = await embedAll(
    `${name}-paraphrases`,
    rows.map(({ intent }) => intent),
  );
  const all = rows.map(({ task, lang, intent }, row) => ({
    task,
    language: lang,
    text: intent,
    vector: paraphraseVectors[row] as Float32Array,
  }));
  const known = all.filter(({ task }) => originals.has(task));
  const paraphrases = known.filter(({ task, text }) => plain(text) !== originals.get(task));
  return { requests, paraphrases, repeated: known.length - paraphrases.length };
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
