import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

import { renderHtml } from "@pml/viewer";
import { Command } from "commander";

import { plainLine } from "../plain-text.js";
import type { Runner } from "../run-command.js";
import { examples } from "./read-options.js";
import { writeOutput } from "./write-output.js";

interface ViewOptions {
  output: string;
  values: boolean;
}

export function viewCommand(runner: Runner): Command {
  return new Command("view")
    .description("write the memory as one HTML file, to be looked at in a browser")
    .option("-o, --output <file>", "the file", "memory.html")
    .option("--no-values", "leave out what runs were given and gave")
    .addHelpText("after", examples("view", "view --no-values -o for-others.html"))
    .action(
      runner.withMemory(async ({ pml, progress }, { output, values }: ViewOptions) => {
        progress.say("Drawing the memory …");
        const html = await renderHtml(pml, { values });
        await writeOutput(output, html);
        const url = pathToFileURL(resolve(output)).href;
        return { data: { file: output, url, bytes: html.length }, text: () => `Open ${plainLine(url)} in a browser.` };
      }),
    );
}
