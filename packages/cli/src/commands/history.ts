import type { HistoryEntry } from "@pml/core";
import { Command } from "commander";

import type { Answer, Page } from "../answer.js";
import { plainLine, plainText } from "../plain-text.js";
import type { Runner } from "../run-command.js";
import { formatTime } from "./format.js";
import { examples } from "./read-options.js";

export function historyCommand(runner: Runner): Command {
  return new Command("history")
    .description("show the versions of a capability, the newest first")
    .argument("<name>", "its name, an old one, FQDN or id")
    .option("--diff", "with what each version changed")
    .addHelpText("after", examples("history fs:read_json", "history fs:read_json --diff"))
    .action(
      runner.withMemory(async ({ pml }, name: string, { diff = false }: { diff?: boolean }) =>
        show(await pml.names.history(name), diff),
      ),
    );
}

function show(entries: readonly HistoryEntry[], withDiff: boolean): Answer {
  return {
    data: {
      versions: entries.map((entry) => ({
        version: entry.version,
        version_tag: entry.versionTag,
        capability_id: entry.capabilityId,
        updated_by: entry.updatedBy,
        updated_at: entry.updatedAt,
        change_summary: entry.changeSummary,
        signature: entry.signature,
        verified: entry.verified,
        ...(withDiff && { diff: entry.diff }),
      })),
    },
    text: (page) =>
      entries
        .map((entry) => [formatEntry(entry, page), ...(withDiff ? [plainText(entry.diff)] : [])].join("\n"))
        .join("\n"),
  };
}

function formatEntry(
  { version, versionTag, updatedAt, updatedBy, verified, changeSummary }: HistoryEntry,
  page: Page,
): string {
  const title = page.bold(`v${version}`) + (versionTag === undefined ? "" : ` (${plainLine(versionTag)})`);
  const said = changeSummary === undefined ? "" : `  ${plainLine(changeSummary)}`;
  return `${title}  ${page.dim(`${formatTime(updatedAt)} by ${plainLine(updatedBy)}${verified ? ", verified" : ""}`)}${said}`;
}
