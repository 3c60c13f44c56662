import { readFile } from "node:fs/promises";

import type { BundleReport } from "@pml/core";
import { Command, Option } from "commander";

import type { Answer } from "../answer.js";
import { CliError } from "../error.js";
import { EXIT_CODES } from "../exit-codes.js";
import { plainLine } from "../plain-text.js";
import type { Runner } from "../run-command.js";
import type { Terminal } from "../terminal.js";
import { examples } from "./read-options.js";

export function importCommand(runner: Runner): Command {
  return new Command("import")
    .description("take in a bundle; its code is read anew, and its runs are replayed, before it is stored")
    .argument("<file>", "the bundle, or - for standard input")
    .addOption(
      new Option("--on-conflict <rule>", "what happens with a bundle that is here in part")
        .choices(["skip", "error"])
        .default("skip"),
    )
    .addHelpText("after", examples("import all.json", "import --on-conflict error - < all.json"))
    .action(
      runner.withMemory(
        async ({ pml, terminal, progress }, file: string, { onConflict }: { onConflict: "skip" | "error" }) => {
          const bundle = await readBundle(file, terminal);
          progress.say("Replaying what comes in …");
          return show(await pml.names.importBundle(bundle, { onConflict }));
        },
        { mayCreate: true },
      ),
    );
}

async function readBundle(file: string, terminal: Terminal): Promise<unknown> {
  try {
    return JSON.parse(file === "-" ? await terminal.readInput() : await readFile(file, "utf8"));
  } catch (error) {
    const name = file === "-" ? "Standard input" : file;
    throw new CliError("CLI_UNREADABLE", `${name} is no bundle: ${(error as Error).message}`, {
      cause: error,
      details: { file },
    });
  }
}

function show({ imported, skipped, refused, missingTools }: BundleReport): Answer {
  return {
    data: { imported, skipped, refused, missing_tools: missingTools },
    exitCode: refused.length > 0 ? EXIT_CODES.failed : EXIT_CODES.done,
    text: () =>
      [
        ...imported.map(({ id, name, verified, note }) => {
          const proof = verified ? "verified by its runs" : "as a draft, with no run to verify it by";
          return `imported  ${plainLine(name ?? id)}  ${proof}${note === undefined ? "" : `; ${plainLine(note)}`}`;
        }),
        ...skipped.map(({ id }) => `here      ${plainLine(id)}`),
        ...refused.map(({ address, reason }) => `refused   ${plainLine(address)}  ${plainLine(reason)}`),
        ...(missingTools.length > 0
          ? [`Tools that are not known here: ${missingTools.map(plainLine).join(", ")}`]
          : []),
        ...(imported.length + skipped.length + refused.length === 0 ? ["The bundle is empty."] : []),
      ].join("\n"),
  };
}
