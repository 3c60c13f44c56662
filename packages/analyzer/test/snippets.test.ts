import { describe, expect, it } from "vitest";

import { StaticStructureBuilder } from "../src/index.js";
import { writeDown } from "./notation.js";
import { ARGUMENTS } from "./snippets/arguments.js";
import { CALLBACKS } from "./snippets/callbacks.js";
import { DECISIONS } from "./snippets/decisions.js";
import { DESIGN_DOCUMENTS } from "./snippets/design-documents.js";
import { ERRORS } from "./snippets/errors.js";
import { FINALLY } from "./snippets/finally.js";
import { FUNCTION_VALUES } from "./snippets/function-values.js";
import { FUNCTIONS } from "./snippets/functions.js";
import { GUARDS } from "./snippets/guards.js";
import { JUMPS } from "./snippets/jumps.js";
import { LOOPS } from "./snippets/loops.js";
import { NAMES } from "./snippets/names.js";
import { NO_OPERATIONS } from "./snippets/no-operations.js";
import { OPERATIONS } from "./snippets/operations.js";
import { PARALLEL } from "./snippets/parallel.js";
import { PARAMETERS } from "./snippets/parameters.js";
import { REFERENCES } from "./snippets/references.js";
import { SWITCHES } from "./snippets/switches.js";
import { TYPESCRIPT } from "./snippets/typescript.js";
import { CAPABILITIES, TOOLS } from "./tools.js";

const TABLES = {
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

describe.each(Object.entries(TABLES))("%s", (_, snippets) => {
  it.each(snippets)("%s", (_, code, expected) => {
    const lines = expected.split("\n").map((line) => line.trim());
    expect(writeDown(builder.build(code))).toEqual(lines);
  });
});

const builder = new StaticStructureBuilder({ tools: TOOLS, capabilities: CAPABILITIES });
