import type { Command } from "commander";

import { type Answer, give } from "./answer.js";
import { EXIT_CODES } from "./exit-codes.js";
import { type OpenMemory, openMemory } from "./open-memory.js";
import { createProgress, type Progress } from "./progress.js";
import { type GlobalOptions, readSettings, type Settings } from "./settings.js";
import type { Terminal } from "./terminal.js";

/** What a command has to work with, beside its own arguments. */
export interface Surroundings {
  terminal: Terminal;
  settings: Settings;
  progress: Progress;
  /** Aborts when the user wants it to end. */
  signal: AbortSignal;
}

/** How commands are run: what is around them is made, what they answer is said, what they opened is closed. */
export interface Runner {
  /** For a command that needs no memory. */
  run<T extends unknown[]>(work: (at: Surroundings, ...given: T) => Promise<Answer>): Action<T>;
  /** For one that looks at a memory, or changes it. */
  withMemory<T extends unknown[]>(
    work: (at: Surroundings & OpenMemory, ...given: T) => Promise<Answer>,
    options?: { mayCreate?: boolean; callsTools?: boolean },
  ): Action<T>;
}

/** As commander calls it: the command's arguments, its options, itself. */
type Action<T extends unknown[]> = (...given: [...T, Command]) => Promise<void>;

type Given<W> = W extends (at: Surroundings, ...given: infer T) => unknown ? T : never;

export function createRunner(terminal: Terminal, exit: (code: number) => void): Runner {
  const run: Runner["run"] =
    (work) =>
    async (...given) => {
      const command = given.at(-1) as Command;
      const options = command.optsWithGlobals<GlobalOptions>();
      const progress = createProgress(terminal, Date.now);
      const interruption = new AbortController();
      const stop = terminal.onInterrupt(() => interruption.abort());
      const settings = readSettings(options, terminal.environment);
      const around = { terminal, settings, progress, signal: interruption.signal };
      try {
        const answer = await work(around, ...(given.slice(0, -1) as Given<typeof work>));
        progress.clear();
        const code = give(answer, { terminal, json: options.json === true });
        exit(interruption.signal.aborted ? EXIT_CODES.interrupted : code);
      } finally {
        progress.clear();
        stop();
      }
    };
  return {
    run,
    withMemory: (work, { mayCreate = false, callsTools = false } = {}) =>
      run(async (around, ...given) => {
        await using memory = await openMemory(around.settings, { ...around, mayCreate, callsTools });
        return await work({ ...around, ...memory }, ...given);
      }),
  };
}
