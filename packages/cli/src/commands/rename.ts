import { Command } from "commander";

import { plainLine } from "../plain-text.js";
import type { Runner } from "../run-command.js";
import { examples } from "./read-options.js";

export function renameCommand(runner: Runner): Command {
  return new Command("rename")
    .description("give a capability a name, or another one; the old one goes on working")
    .argument("<from>", "its name, unnamed_<hash>, FQDN or id")
    .argument("<to>", "the new name, as namespace:action_target")
    .addHelpText("after", examples("rename unnamed_1f2e3d fs:read_prices", "rename fs:read_prices fs:sum_prices"))
    .action(
      runner.withMemory(async ({ pml }, from: string, to: string) => {
        const { displayName, fqdn, aliases, capabilityId } = await pml.names.rename(from, to);
        return {
          data: { name: displayName, fqdn, aliases, capability_id: capabilityId },
          text: () => `${plainLine(from)} is now ${plainLine(displayName)}.`,
        };
      }),
    );
}
