export { CLI_ERROR_CODES, CliError, type CliErrorCode } from "./error.js";
export { EXIT_CODES } from "./exit-codes.js";
export { main } from "./main.js";
export { processTerminal, type Terminal } from "./terminal.js";
