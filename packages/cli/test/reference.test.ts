import { describe, expect, it } from "vitest";

import { shell } from "./shell.js";

/** Said once, above the commands, and not again with each of them. */
const SAID_ONCE = /\n\nGlobal Options:\n[^]*?(?=\n\n|\n$)/;

describe("the reference of the command line", () => {
  it("is what help says; `npx vitest --project fast -u packages/cli/test/reference.test.ts` renews it", async () => {
    const whole = (await shell(["--help"])).out;
    const [, list = ""] = /\nCommands:\n([^]*?)\n\n/.exec(whole) ?? [];
    const names = [...list.matchAll(/^ {2}(\w+)/gm)].map(([, name = ""]) => name).filter((name) => name !== "help");
    const parts = await Promise.all(names.map(async (name) => block(`pml ${name}`, await help(name))));
    const page = ["# The command line", "What `pml help` and `pml help <command>` say.", block("pml", whole), ...parts];
    expect(names.length).toBeGreaterThan(10);
    await expect(`${page.join("\n\n")}\n`).toMatchFileSnapshot("../../../docs/cli.md");
  });
});

async function help(name: string): Promise<string> {
  const text = (await shell(["help", name])).out;
  expect(text).toMatch(SAID_ONCE);
  return text.replace(SAID_ONCE, "");
}

function block(title: string, text: string): string {
  return `## ${title}\n\n\`\`\`text\n${text.trim()}\n\`\`\``;
}
