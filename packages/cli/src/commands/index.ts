import type { Command } from "commander";

import type { Runner } from "../run-command.js";
import { doctorCommand } from "./doctor.js";
import { evaluateCommand } from "./evaluate.js";
import { exportCommand } from "./export.js";
import { historyCommand } from "./history.js";
import { importCommand } from "./import.js";
import { listCommand } from "./list.js";
import { renameCommand } from "./rename.js";
import { runCommand } from "./run.js";
import { searchCommand } from "./search.js";
import { showCommand } from "./show.js";
import { statsCommand } from "./stats.js";
import { viewCommand } from "./view.js";

/** In the order in which help shows them. */
export const COMMANDS: readonly ((runner: Runner) => Command)[] = [
  searchCommand,
  listCommand,
  showCommand,
  runCommand,
  historyCommand,
  renameCommand,
  exportCommand,
  importCommand,
  viewCommand,
  statsCommand,
  evaluateCommand,
  doctorCommand,
];
