import { Command } from "commander";

import type { Answer } from "../answer.js";
import { EXIT_CODES } from "../exit-codes.js";
import { plainLine } from "../plain-text.js";
import type { Runner } from "../run-command.js";
import { type Finding, examine } from "./examine.js";
import { examples } from "./read-options.js";

const MARKS: Record<Finding["state"], string> = { ok: "ok    ", warning: "look  ", failed: "FAILED" };

export function doctorCommand(runner: Runner): Command {
  return new Command("doctor")
    .description("look whether everything a memory needs is there and well, and say what to do")
    .addHelpText("after", examples("doctor", "doctor --data /srv/memory --json"))
    .action(
      runner.run(async (around) => {
        const findings = await examine(around);
        return show(findings);
      }),
    );
}

function show(findings: readonly Finding[]): Answer {
  const isWell = findings.every(({ state }) => state !== "failed");
  return {
    data: { well: isWell, findings },
    exitCode: isWell ? EXIT_CODES.done : EXIT_CODES.failed,
    text: () => findings.map(format).join("\n"),
  };
}

function format({ what, state, message, advice }: Finding): string {
  const line = `${MARKS[state]}  ${what.padEnd(10)}  ${plainLine(message)}`;
  return advice === undefined ? line : `${line}\n${" ".repeat(20)}${plainLine(advice)}`;
}
