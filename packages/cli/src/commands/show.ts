import type { Capability, Trace } from "@pml/core";
import { Command } from "commander";

import type { Answer, Page } from "../answer.js";
import type { OpenMemory } from "../open-memory.js";
import { plainLine, plainText } from "../plain-text.js";
import type { Runner } from "../run-command.js";
import { formatDuration, formatRate, formatTime } from "./format.js";
import { examples } from "./read-options.js";

const RUNS = 5;

interface Shown {
  capability: Capability;
  name: string;
  runs: readonly Trace[];
}

export function showCommand(runner: Runner): Command {
  return new Command("show")
    .description("show a capability: what it does, what it takes, its code and its last runs")
    .argument("<name>", "its name, an old one, name@version, FQDN or id")
    .addHelpText("after", examples("show fs:read_json", "show fs:read_json@v1 --json"))
    .action(runner.withMemory(async ({ pml }, name: string) => answer(await find(pml, name))));
}

async function find(pml: OpenMemory["pml"], text: string): Promise<Shown> {
  const { capability, name } = await pml.names.resolve(text);
  return { capability, name, runs: await pml.store.listTraces({ capabilityId: capability.id, limit: RUNS }) };
}

function answer(shown: Shown): Answer {
  const { capability, name, runs } = shown;
  const { id, intent, description, status, source, parameters, toolsUsed, statistics, verified, visibility } =
    capability;
  return {
    data: {
      id,
      name,
      intent,
      description,
      status,
      verified,
      visibility,
      source,
      parameters,
      tools_used: toolsUsed,
      usage_count: statistics.usageCount,
      success_rate: statistics.successRate,
      average_duration_ms: statistics.averageDurationMs,
      last_used_at: statistics.lastUsedAt,
      created_by: capability.createdBy,
      created_at: capability.createdAt,
      runs: runs.map(describeRun),
    },
    text: (page) =>
      [head(shown), parametersOf(shown, page), codeOf(shown, page), runsOf(shown, page)].filter(Boolean).join("\n\n"),
  };
}

function describeRun({ id, intent, success, error, startedAt, durationMs }: Trace): object {
  return { trace_id: id, intent, success, error, started_at: startedAt, duration_ms: durationMs };
}

function head({ capability, name }: Shown): string {
  const { intent, description, status, verified, toolsUsed, statistics } = capability;
  const { usageCount, successRate, averageDurationMs } = statistics;
  const worked =
    successRate === undefined
      ? ""
      : `, worked ${formatRate(successRate)} of the time, takes ${formatDuration(averageDurationMs)}`;
  return [
    `name    ${plainLine(name)}`,
    `intent  ${plainLine(intent)}`,
    ...(description === undefined ? [] : [`does    ${plainLine(description)}`]),
    `status  ${status}${verified ? ", verified" : ""}`,
    `tools   ${toolsUsed.map(plainLine).join(", ") || "none"}`,
    `used    ${usageCount} ${usageCount === 1 ? "time" : "times"}${worked}`,
  ].join("\n");
}

interface Property {
  type?: unknown;
  default?: unknown;
}

function parametersOf({ capability }: Shown, page: Page): string {
  const { properties = {}, required = [] } = (capability.parameters ?? {}) as {
    properties?: Record<string, Property>;
    required?: string[];
  };
  const rows = Object.entries(properties).map(([name, property]) => [
    name,
    property.type === undefined ? "anything" : String(property.type),
    property.default === undefined ? (required.includes(name) ? "(required)" : "") : JSON.stringify(property.default),
  ]);
  if (rows.length === 0) return "";
  return `${page.bold("Takes")}\n${page.table([{ title: "parameter" }, { title: "type" }, { title: "default" }], rows)}`;
}

function codeOf({ capability: { source } }: Shown, page: Page): string {
  if (source.type === "code") return `${page.bold("Code")}\n${plainText(source.code)}`;
  const { type, ...rest } = source;
  return `${page.bold(type === "dag" ? "DAG" : "Tool")}\n${plainText(JSON.stringify(rest, undefined, 2))}`;
}

function runsOf({ runs }: Shown, page: Page): string {
  if (runs.length === 0) return "";
  const rows = runs.map(({ startedAt, success, durationMs, intent, error }) => [
    formatTime(startedAt),
    success ? "worked" : "failed",
    formatDuration(durationMs),
    error ?? intent ?? "",
  ]);
  return `${page.bold("Last runs")}\n${page.table([{ title: "at (UTC)" }, { title: "it" }, { title: "took", align: "right" }, { title: "asked for" }], rows)}`;
}
