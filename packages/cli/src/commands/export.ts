import type { Bundle } from "@pml/core";
import { Command } from "commander";

import type { Answer } from "../answer.js";
import { plainLine } from "../plain-text.js";
import type { Runner } from "../run-command.js";
import { examples } from "./read-options.js";
import { writeOutput } from "./write-output.js";

export function exportCommand(runner: Runner): Command {
  return new Command("export")
    .description("write capabilities as a bundle that another memory can import")
    .argument("[names...]", "those to export, with what they call; all that have worked if none is given")
    .option("-o, --output <file>", "into this file instead of to standard output")
    .addHelpText("after", examples("export -o all.json", "export fs:read_json > read.json"))
    .action(
      runner.withMemory(async ({ pml, progress }, names: string[], { output }: { output?: string }) => {
        progress.say("Reading the capabilities and their runs …");
        const bundle = await pml.names.exportBundle(names.length === 0 ? undefined : names);
        return output === undefined
          ? { data: bundle, text: () => JSON.stringify(bundle, undefined, 2) }
          : save(bundle, output);
      }),
    );
}

async function save(bundle: Bundle, file: string): Promise<Answer> {
  await writeOutput(file, `${JSON.stringify(bundle, undefined, 2)}\n`);
  const count = bundle.packages.length;
  return {
    data: { file, capabilities: count },
    text: () => `${count} ${count === 1 ? "capability is" : "capabilities are"} in ${plainLine(file)}.`,
  };
}
