// Runs every file of a folder whose name ends so, each in a process of its own:
// `run-each.ts bench .bench.ts`. A name given after these narrows it to files that contain it.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";

const [folder, ending, part = ""] = process.argv.slice(2);
if (folder === undefined || ending === undefined) throw new Error("Give a folder and an ending.");

const files = readdirSync(folder)
  .filter((file) => file.endsWith(ending) && file.includes(part))
  .sort();
const failed = files.filter((file) => !succeeds(`${folder}/${file}`));

if (files.length === 0) throw new Error(`No ${folder}/*${part}*${ending} to run.`);
if (failed.length > 0) {
  console.error(`\nFailed in ${folder}: ${failed.join(", ")}`);
  process.exitCode = 1;
}

function succeeds(file: string): boolean {
  console.log(`\n── ${file}\n`);
  return spawnSync(process.execPath, ["--import", "tsx", file], { stdio: "inherit" }).status === 0;
}
