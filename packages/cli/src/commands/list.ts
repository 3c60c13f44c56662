import type { ListedCapability } from "@pml/core";
import { Command, Option } from "commander";

import type { Answer } from "../answer.js";
import type { Runner } from "../run-command.js";
import { formatRate } from "./format.js";
import { examples, readCount } from "./read-options.js";

interface ListOptions {
  namespace?: string;
  named?: boolean;
  sort: "name" | "usage" | "created";
  limit: number;
}

export function listCommand(runner: Runner): Command {
  return new Command("list")
    .description("list the capabilities there are")
    .option("--namespace <name>", "only of this namespace, as fs")
    .option("--named", "leave out what has no name yet")
    .addOption(new Option("--sort <by>", "the first of them").choices(["name", "usage", "created"]).default("name"))
    .option("-n, --limit <number>", "at most so many", readCount, 100)
    .addHelpText("after", examples("list --sort usage --limit 10", "list --namespace fs --json"))
    .action(
      runner.withMemory(async ({ pml }, { namespace, named, sort, limit }: ListOptions) =>
        show(
          await pml.names.listCapabilities({
            sortBy: sort,
            limit,
            ...(namespace !== undefined && { namespace }),
            ...(named === true && { namedOnly: true }),
          }),
        ),
      ),
    );
}

function show(capabilities: readonly ListedCapability[]): Answer {
  return {
    data: {
      capabilities: capabilities.map(({ id, name, description, usageCount, successRate, parameters, createdAt }) => ({
        id,
        name,
        description,
        usage_count: usageCount,
        success_rate: successRate,
        parameters,
        created_at: createdAt,
      })),
    },
    text: (page) => {
      if (capabilities.length === 0) return "There are no capabilities yet. What an agent does with code becomes one.";
      return page.table(
        [
          { title: "name" },
          { title: "used", align: "right" },
          { title: "worked", align: "right" },
          { title: "takes" },
          { title: "what it does" },
        ],
        capabilities.map(({ name, usageCount, successRate, parameters, description }) => [
          name,
          String(usageCount),
          formatRate(successRate),
          parameters.join(", "),
          description,
        ]),
      );
    },
  };
}
