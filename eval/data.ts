import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A folder of public evaluation data, in one shape: what was asked, and which tools served it. */
export interface DataSet {
  name: string;
  tools: readonly { id: string }[];
  tasks: readonly Task[];
}

export interface Task {
  id: string;
  intent: string;
  /** In the order they were called. */
  tools: readonly string[];
  /** From tool to tool, where data flows; null where that is not known. */
  edges: readonly (readonly [string, string])[] | null;
  /** What each call was given, where that is known. */
  args?: readonly unknown[];
  calls?: readonly { arguments: unknown }[];
}

export const DATA_FOLDER: string = process.env["PML_EVAL_DATA"] ?? "../shared/data";

/** The sets that are there, or undefined when the folder is not. */
export function findDataSets(): DataSet[] | undefined {
  if (!existsSync(DATA_FOLDER)) return undefined;
  return readdirSync(DATA_FOLDER)
    .filter((name) => existsSync(join(DATA_FOLDER, name, "tasks.jsonl")))
    .map((name) => ({
      name,
      tools: readLines<{ id: string }>(join(DATA_FOLDER, name, "tools.jsonl")),
      tasks: readLines<Task>(join(DATA_FOLDER, name, "tasks.jsonl")),
    }));
}

function readLines<Row>(path: string): Row[] {
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line) as Row);
}
