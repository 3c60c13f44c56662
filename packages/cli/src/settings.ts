import type { Scope } from "@pml/core";

import { CliError } from "./error.js";
import type { Terminal } from "./terminal.js";

/** Options that every command has. */
export interface GlobalOptions {
  data?: string;
  database?: string;
  config?: string;
  org?: string;
  project?: string;
  actor?: string;
  json?: boolean;
}

/** Where the memory is, and whose. */
export interface Settings {
  memory: { directory: string } | { url: string };
  /** File with the MCP servers whose tools can be called. */
  config: string | undefined;
  scope: Partial<Scope>;
}

const DEFAULT_DIRECTORY = ".pml";

/** What is said on the command line, else what the environment says. */
export function readSettings(options: GlobalOptions, environment: Terminal["environment"]): Settings {
  if (options.data !== undefined && options.database !== undefined)
    throw new CliError("CLI_INVALID_ARGUMENT", "Give --data or --database: a memory is in one place.");
  const url = options.database ?? (options.data === undefined ? environment["PML_DATABASE"] : undefined);
  const { org, project, actor } = options;
  return {
    memory: url === undefined ? { directory: options.data ?? environment["PML_DATA"] ?? DEFAULT_DIRECTORY } : { url },
    config: options.config ?? environment["PML_CONFIG"],
    scope: {
      ...(org !== undefined && { org }),
      ...(project !== undefined && { project }),
      ...(actor !== undefined && { actor }),
    },
  };
}
