import { ARGUMENTS } from "./arguments.js";
import { CALLBACKS } from "./callbacks.js";
import { DECISIONS } from "./decisions.js";
import { DESIGN_DOCUMENTS } from "./design-documents.js";
import { ERRORS } from "./errors.js";
import { FINALLY } from "./finally.js";
import { FUNCTION_VALUES } from "./function-values.js";
import { FUNCTIONS } from "./functions.js";
import { GUARDS } from "./guards.js";
import { JUMPS } from "./jumps.js";
import { LOOPS } from "./loops.js";
import { NAMES } from "./names.js";
import { NO_OPERATIONS } from "./no-operations.js";
import { OPERATIONS } from "./operations.js";
import { PARALLEL } from "./parallel.js";
import { PARAMETERS } from "./parameters.js";
import { REFERENCES } from "./references.js";
import type { Snippet } from "./snippet.js";
import { SWITCHES } from "./switches.js";
import { TYPESCRIPT } from "./typescript.js";

/** Every table, by what it shows. */
export const TABLES: Readonly<Record<string, readonly Snippet[]>> = {
  "the design documents' examples": DESIGN_DOCUMENTS,
  decisions: DECISIONS,
  "guarded calls and early ends": GUARDS,
  switches: SWITCHES,
  loops: LOOPS,
  "jumps in loops": JUMPS,
  "callbacks of array methods": CALLBACKS,
  "work side by side": PARALLEL,
  functions: FUNCTIONS,
  "functions as values": FUNCTION_VALUES,
  names: NAMES,
  arguments: ARGUMENTS,
  "arguments from other calls": REFERENCES,
  parameters: PARAMETERS,
  operations: OPERATIONS,
  "what is no operation": NO_OPERATIONS,
  "what may fail": ERRORS,
  finally: FINALLY,
  TypeScript: TYPESCRIPT,
};

export const SNIPPETS: readonly Snippet[] = Object.values(TABLES).flat();
