import { type Candidate, type Clause, describeSchema, listClauses, listViews, type PastIntent } from "@pml/core";

import type { DataSet, Task } from "./data.js";
import { readToolSchemas } from "./graph-schemas.js";
import { embedAll } from "./vectors.js";

/** A task made ready: its intent and the parts of it with vectors. */
export interface PlanTask extends PastIntent {
  task: Task;
  clauses: Clause[];
  fold: number;
}

export interface PlanSet {
  name: string;
  candidates: Candidate[];
  tasks: PlanTask[];
}

export const FOLDS = 5;
/** Above so many tasks, parts of intents are compared by their words alone: embedding them all takes minutes. */
const MOST_EMBEDDED = 1000;

export async function preparePlans(set: DataSet): Promise<PlanSet> {
  const schemas = readToolSchemas(set);
  const tools = [...schemas.values()].map(({ id, description = "", inputSchema }) => ({
    id,
    name: id,
    description,
    schemaText: describeSchema(inputSchema),
  }));
  const views = tools.map(listViews);
  const toolVectors = await embedRows(`${set.name}-plan-tools`, views);
  const tasks = set.tasks.filter(({ tools: used }) => used.length > 0 && used.every((id) => schemas.has(id)));
  const intents = await embedAll(
    `${set.name}-plan-intents`,
    tasks.map(({ intent }) => intent),
  );
  const parts = tasks.map(({ intent }) => listClauses(intent));
  const partVectors = tasks.length > MOST_EMBEDDED ? [] : await embedRows(`${set.name}-plan-clauses`, parts);
  return {
    name: set.name,
    candidates: tools.map((tool, row) => ({ ...tool, vectors: toolVectors[row] ?? [] })),
    tasks: tasks.map((task, row) => ({
      task,
      text: task.intent,
      vector: intents[row] as Float32Array,
      candidateIds: task.tools,
      clauses: (parts[row] ?? []).map((text, at) => withVector(text, partVectors[row]?.[at])),
      fold: foldOf(task.id),
    })),
  };
}

function withVector(text: string, vector: Float32Array | undefined): Clause {
  return vector === undefined ? { text } : { text, vector };
}

async function embedRows(name: string, rows: readonly (readonly string[])[]): Promise<Float32Array[][]> {
  const flat = await embedAll(name, rows.flat());
  let next = 0;
  return rows.map((row) => row.map(() => flat[next++] as Float32Array));
}

export function foldOf(id: string): number {
  let hash = 0;
  for (const letter of id) hash = (Math.imul(hash, 31) + letter.charCodeAt(0)) | 0;
  return Math.abs(hash) % FOLDS;
}
