// Measures quality on public data sets: every `*.eval.ts` here, or those whose name contains the argument.
import { readdirSync } from "node:fs";

import { DATA_FOLDER, type DataSet, findDataSets } from "./data.js";

/** What an `*.eval.ts` exports as default: it prints what it measured. */
export type Measure = (sets: readonly DataSet[]) => void | Promise<void>;

const part = process.argv[2] ?? "";
const sets = findDataSets();

if (sets === undefined || sets.length === 0) {
  console.log(`No evaluation data: nothing at ${DATA_FOLDER}. Set PML_EVAL_DATA to a folder that has it.`);
} else {
  console.table(sets.map(({ name, tools, tasks }) => ({ set: name, tools: tools.length, tasks: tasks.length })));
  const files = readdirSync(import.meta.dirname).filter((file) => file.endsWith(".eval.ts") && file.includes(part));
  for (const file of files.sort()) {
    const { default: measure } = (await import(`./${file}`)) as { default: Measure };
    console.log(`\n── eval/${file}\n`);
    await measure(sets);
  }
}
