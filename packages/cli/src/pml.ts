import { main } from "./main.js";
import { processTerminal } from "./terminal.js";

// Who reads may have read enough, as `head` does.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));

process.exitCode = await main(process.argv.slice(2), processTerminal());
