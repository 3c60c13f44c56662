import { Command, CommanderError } from "commander";

import { COMMANDS } from "./commands/index.js";
import { describeError } from "./describe-error.js";
import { EXIT_CODES } from "./exit-codes.js";
import { plainJson } from "./plain-text.js";
import { createRunner } from "./run-command.js";
import type { Terminal } from "./terminal.js";
import { VERSION } from "./version.js";

const DESCRIPTION = "A memory of how to do things, from the command line.";
const AFTER = `
Environment:
  PML_DATA      directory of the memory
  PML_DATABASE  PostgreSQL server of the memory, instead of a directory
  PML_CONFIG    file with the MCP servers whose tools can be called
  NO_COLOR      plain text on a screen too

Exit codes:
  0 done   1 failed   2 called wrongly   3 waits for a yes   130 interrupted`;

/** Resolves to the exit code; says everything else on the terminal. */
export async function main(argv: readonly string[], terminal: Terminal): Promise<number> {
  let exitCode: number = EXIT_CODES.done;
  const runner = createRunner(terminal, (code) => (exitCode = code));
  const program = createProgram(terminal);
  for (const create of COMMANDS) program.addCommand(create(runner));
  for (const command of [program, ...program.commands]) prepare(command, terminal);
  try {
    await program.parseAsync([...argv], { from: "user" });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT_CODES.done : EXIT_CODES.usage;
    return complain(error, terminal, argv.includes("--json"));
  }
}

function createProgram(terminal: Terminal): Command {
  return new Command("pml")
    .description(DESCRIPTION)
    .version(VERSION)
    .option("--data <directory>", "directory of the memory (default: .pml)")
    .option("--database <url>", "PostgreSQL server of the memory, instead of a directory")
    .option("--config <file>", "JSON with the usual mcpServers, whose tools can be called")
    .option("--org <name>", "whose memory it is")
    .option("--project <name>", "of which project")
    .option("--actor <name>", "who asks")
    .option("--json", "data for a program instead of text")
    .addHelpText("after", AFTER)
    .helpCommand(true)
    .showSuggestionAfterError()
    .configureHelp({ helpWidth: Math.min(terminal.width, 120) });
}

function prepare(command: Command, terminal: Terminal): void {
  command
    .exitOverride()
    .configureOutput({ writeOut: (text) => terminal.write(text), writeErr: (text) => terminal.writeError(text) })
    .configureHelp({ showGlobalOptions: true, helpWidth: Math.min(terminal.width, 120) });
}

function complain(error: unknown, terminal: Terminal, json: boolean): number {
  const described = describeError(error);
  if (json) terminal.write(`${plainJson({ error: described.data })}\n`);
  else terminal.writeError(`pml: ${described.text}\n`);
  return described.exitCode;
}
