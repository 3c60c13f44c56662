import type { Evaluation, Interval, Mean, Share } from "@pml/core";
import { Command } from "commander";

import type { Answer, Page } from "../answer.js";
import type { OpenMemory } from "../open-memory.js";
import type { Runner, Surroundings } from "../run-command.js";
import { toSnakeCase } from "../snake-case.js";
import { examples, readCount } from "./read-options.js";

export function evaluateCommand(runner: Runner): Command {
  return new Command("evaluate")
    .description("say what the memory is worth, by its own runs; nothing is run or changed")
    .option("-n, --limit <number>", "look at so many runs, the newest", readCount, 1000)
    .addHelpText("after", examples("evaluate", "evaluate --limit 200 --json"))
    .action(runner.withMemory((at, { limit }: { limit: number }) => evaluate(at, limit)));
}

async function evaluate({ pml, progress, signal }: Surroundings & OpenMemory, limit: number): Promise<Answer> {
  progress.say("Asking the memory anew for what it has served …");
  try {
    const evaluation = await pml.evaluate({ limit, signal });
    return { data: toSnakeCase(evaluation), text: (page) => describe(evaluation, page) };
  } catch (error) {
    if (!signal.aborted) throw error;
    return { data: { interrupted: true }, text: () => "" };
  }
}

type Row = readonly [what: string, measured: string, interval: string, of: string];

function describe(evaluation: Evaluation, page: Page): string {
  const { runs, intents } = evaluation;
  const { names, descriptions } = intents.leaked;
  const columns = [
    { title: "what" },
    { title: "measured", align: "right" },
    { title: "95 %", align: "right" },
    { title: "of", align: "right" },
  ] as const;
  return [
    `${runs.looked} runs, of ${runs.kept}. ${intents.asked} intents asked anew of a memory without what they taught;`,
    `left out: ${intents.repeats} repeats, and ${names + descriptions} that are names or descriptions of what is there.\n`,
    page.table(columns, listRows(evaluation)),
  ].join("\n");
}

function listRows({ recall, reuse, automatic, saved, calibration }: Evaluation): Row[] {
  const { known, unknown, tools } = recall;
  return [
    share("known from other words: is the likeliest", known.chosen),
    share("known: is among the first five", known.amongFive),
    share("known: would run by itself", known.run),
    share("known: another would", known.wrong),
    share("not known: something would run all the same", unknown.wrong),
    share("tools: the first is one that served", tools.first),
    mean("tools: are among the first five", tools.amongFive, percent),
    share("requests served by what was known, by itself", reuse.byItself),
    share("requests served by what was known, by name", reuse.byName),
    share(`ran by itself and was wrong (${automatic.unjudged} unjudged)`, automatic.wrong),
    mean("saved a run, beside the one its code was written for", saved.ms, milliseconds),
    mean("tool calls saved a run", saved.toolCalls, round),
    share(`calls begun early (saved ${milliseconds(saved.prefetch.ms)})`, saved.prefetch.used),
    mean("squared error of scores, asked anew", calibration.heldOut.brier, round),
    mean("squared error of scores, by outcomes", calibration.outcomes.brier, round),
  ];
}

function share(what: string, { share: measured, interval, of }: Share): Row {
  return row(what, { measured, interval, of }, percent);
}

function mean(what: string, { mean: measured, interval, of }: Mean, say: (value: number) => string): Row {
  return row(what, { measured, interval, of }, say);
}

interface Measured {
  measured: number | undefined;
  interval: Interval | undefined;
  of: number;
}

function row(what: string, { measured, interval, of }: Measured, say: (value: number) => string): Row {
  const range = interval === undefined ? "" : `${say(interval.low)} to ${say(interval.high)}`;
  return [what, measured === undefined ? "too few" : say(measured), range, String(of)];
}

function percent(value: number): string {
  return `${(100 * value).toFixed(1)} %`;
}

function milliseconds(value: number): string {
  return `${value.toFixed(0)} ms`;
}

function round(value: number): string {
  return value.toFixed(2);
}
