import { createHash } from "node:crypto";

import { type Candidate, describeSchema, listViews, type PastIntent } from "@pml/core";

import type { DataSet } from "./data.js";
import { embedAll } from "./vectors.js";

/** A set made ready for ranking: tools with vectors, tasks with vectors, and which part each task belongs to. */
export interface RetrievalSet {
  name: string;
  candidates: Candidate[];
  tasks: RetrievalTask[];
}

export interface RetrievalTask extends PastIntent {
  id: string;
  train: boolean;
}

/** By a hash of the id, so that the split never depends on the order of tasks. */
export function isTraining(id: string, share = 0.5): boolean {
  return (createHash("sha256").update(id).digest()[0] ?? 0) < 256 * share;
}

export async function prepareSet({ name, tools, tasks }: DataSet): Promise<RetrievalSet> {
  const described = (tools as { id: string; description?: string; inputSchema?: unknown }[]).map((tool) => ({
    id: tool.id,
    name: tool.id,
    description: tool.description ?? "",
    schemaText: describeSchema(tool.inputSchema),
  }));
  const views = described.map(listViews);
  const viewVectors = await embedAll(`${name}-tools`, views.flat());
  let next = 0;
  const candidates = described.map((tool, row) => ({
    ...tool,
    vectors: (views[row] ?? []).map(() => viewVectors[next++] as Float32Array),
  }));
  const known = new Set(candidates.map(({ id }) => id));
  const usable = tasks.filter((task) => task.tools.length > 0 && task.tools.every((tool) => known.has(tool)));
  const vectors = await embedAll(
    `${name}-intents`,
    usable.map(({ intent }) => intent),
  );
  return {
    name,
    candidates,
    tasks: usable.map((task, row) => ({
      id: task.id,
      text: task.intent,
      vector: vectors[row] as Float32Array,
      candidateIds: [...new Set(task.tools)],
      train: isTraining(task.id),
    })),
  };
}
