import type { Discovered } from "@pml/core";
import { Command, Option } from "commander";

import type { Answer } from "../answer.js";
import type { OpenMemory } from "../open-memory.js";
import type { Runner } from "../run-command.js";
import { formatShare } from "./format.js";
import { examples, readCount } from "./read-options.js";

interface SearchOptions {
  type: "all" | "tool" | "capability";
  limit: number;
  using?: string[];
}

export function searchCommand(runner: Runner): Command {
  return new Command("search")
    .description("find the tools and capabilities for what you want done")
    .argument("<intent...>", "what you want done, in your own words")
    .addOption(new Option("--type <type>", "only these").choices(["all", "tool", "capability"]).default("all"))
    .option("-n, --limit <number>", "at most so many", readCount, 10)
    .option("--using <tools...>", "tools that are in use already, as fs:read")
    .addHelpText("after", examples('search "add up the prices in a file"', "search --type tool send a mail --json"))
    .action(runner.withMemory(({ pml }, words: string[], options: SearchOptions) => search(pml, words, options)));
}

async function search(
  pml: OpenMemory["pml"],
  words: readonly string[],
  { type, limit, using }: SearchOptions,
): Promise<Answer> {
  const { results, total } = await pml.discover({
    intent: words.join(" "),
    filter: { type },
    limit,
    ...(using !== undefined && { toolsInUse: using }),
  });
  const titles = await Promise.all(results.map((each) => titleOf(pml, each)));
  return {
    data: { total, results: results.map(describe) },
    text: (page) => {
      if (results.length === 0) return "Nothing is known that fits.";
      const rows = results.map((each, at) => [formatShare(each.score), each.type, titles[at] ?? "", whatItDoes(each)]);
      return page.table(
        [{ title: "score", align: "right" }, { title: "type" }, { title: "name" }, { title: "what it does" }],
        rows,
      );
    },
  };
}

/** What other commands call it, too: `unnamed_<hash>` where it has no name. */
async function titleOf({ names }: OpenMemory["pml"], found: Discovered): Promise<string> {
  if (found.type === "tool") return found.id;
  if (found.name !== undefined) return found.name;
  const resolved = await names.resolve(found.id).catch(() => undefined);
  return resolved?.name ?? found.id;
}

function whatItDoes(found: Discovered): string {
  const degraded = found.type === "capability" && found.status === "degraded" ? "(degraded) " : "";
  return degraded + (found.description ?? (found.type === "capability" ? found.intent : ""));
}

function describe(found: Discovered): object {
  const { id, type, score, reason } = found;
  if (found.type === "tool")
    return { id, type, score, reason, description: found.description, input_schema: found.inputSchema };
  const { name, intent, description, status, tools, parameters, reliability } = found;
  return { id, type, score, reason, name, intent, description, status, tools, parameters, reliability };
}
