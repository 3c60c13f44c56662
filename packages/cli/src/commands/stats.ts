import { inspectDirectory, type ListedCapability, type StoreSummary, type ToolUsage } from "@pml/core";
import { Command } from "commander";

import type { Answer, Page } from "../answer.js";
import type { OpenMemory } from "../open-memory.js";
import type { Runner } from "../run-command.js";
import type { Settings } from "../settings.js";
import { formatBytes, formatDuration, formatRate } from "./format.js";
import { examples } from "./read-options.js";

/** Of what is used most. */
const MOST = 10;

export function statsCommand(runner: Runner): Command {
  return new Command("stats")
    .description("say how much the memory holds, and what of it is used")
    .addHelpText("after", examples("stats", "stats --project webapp --json"))
    .action(runner.withMemory(({ pml, settings }) => collect(pml, settings)));
}

async function collect(pml: OpenMemory["pml"], { memory }: Settings): Promise<Answer> {
  const [counted, usage, capabilities] = await Promise.all([
    pml.store.getSummary(),
    pml.store.listToolUsage(),
    pml.names.listCapabilities({ sortBy: "usage", limit: MOST }),
  ]);
  const bytes = "directory" in memory ? (await inspectDirectory(memory.directory)).bytes : undefined;
  const tools = [...usage].sort((a, b) => b.calls - a.calls).slice(0, MOST);
  return {
    data: {
      ...counted,
      bytes,
      most_used: capabilities.map(({ id, name, usageCount, successRate }) => ({
        id,
        name,
        usage_count: usageCount,
        success_rate: successRate,
      })),
      tool_usage: tools.map(describe),
    },
    text: (page) =>
      [listCounts(counted, bytes), listCapabilities(capabilities, page), listTools(tools, page)]
        .filter((part) => part !== "")
        .join("\n\n"),
  };
}

function listCapabilities(capabilities: readonly ListedCapability[], page: Page): string {
  return section(page, "Capabilities most used", [
    [{ title: "name" }, { title: "used", align: "right" }, { title: "worked", align: "right" }],
    capabilities.map(({ name, usageCount, successRate }) => [name, String(usageCount), formatRate(successRate)]),
  ]);
}

function listTools(tools: readonly ToolUsage[], page: Page): string {
  return section(page, "Tools most used", [
    [
      { title: "tool" },
      { title: "calls", align: "right" },
      { title: "failed", align: "right" },
      { title: "takes", align: "right" },
    ],
    tools.map(({ toolId, calls, failures, averageDurationMs }) => [
      toolId,
      String(calls),
      String(failures),
      formatDuration(averageDurationMs),
    ]),
  ]);
}

function listCounts({ capabilities, tools, runs, unfinished }: StoreSummary, bytes: number | undefined): string {
  const { active, draft, degraded, named } = capabilities;
  return [
    `capabilities  ${active} active, ${draft} ${draft === 1 ? "draft" : "drafts"}, ${degraded} degraded; ${named} of them named`,
    `tools         ${tools.available}${tools.away > 0 ? `, and ${tools.away} that are away` : ""}`,
    `runs          ${runs.kept} kept, ${runs.failed} of them failed`,
    ...(unfinished > 0 ? [`unfinished    ${unfinished} that wait for an answer or were cut off`] : []),
    ...(bytes === undefined ? [] : [`on disk       ${formatBytes(bytes)}`]),
  ].join("\n");
}

function section(page: Page, title: string, [columns, rows]: Parameters<Page["table"]>): string {
  return rows.length === 0 ? "" : `${page.bold(title)}\n${page.table(columns, rows)}`;
}

function describe({ toolId, calls, failures, averageDurationMs, lastUsedAt }: ToolUsage): object {
  return { tool_id: toolId, calls, failures, average_duration_ms: averageDurationMs, last_used_at: lastUsedAt };
}
