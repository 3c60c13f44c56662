import { expect, it } from "vitest";

import { createProgress } from "./progress.js";
import type { Terminal } from "./terminal.js";

function record(showsProgress: boolean): { terminal: Terminal; said: string[]; clock: { ms: number } } {
  const said: string[] = [];
  const terminal = { writeError: (text: string) => void said.push(text), showsProgress, width: 40 } as Terminal;
  return { terminal, said, clock: { ms: 0 } };
}

it("writes over one line on a screen, and takes it away in the end", () => {
  const { terminal, said, clock } = record(true);
  const progress = createProgress(terminal, () => clock.ms);
  progress.say("1 of 2");
  progress.say("2 of 2");
  progress.clear();
  progress.clear();
  expect(said).toEqual(["\r\u001b[2K1 of 2", "\r\u001b[2K2 of 2", "\r\u001b[2K"]);
});

it("elsewhere writes whole lines, and few: nothing of what is over at once", () => {
  const { terminal, said, clock } = record(false);
  const progress = createProgress(terminal, () => clock.ms);
  for (; clock.ms <= 5000; clock.ms += 500) progress.say(`at ${clock.ms}`);
  progress.clear();
  expect(said).toEqual(["at 2000\n", "at 4000\n"]);
});
