import { spawnSync } from "node:child_process";

import { describe, expect, it } from "vitest";

const ATTACKS: [name: string, code: string][] = [
  ["sends its host no signal", "process.kill(process.ppid, 0)"],
  ["sends its host no signal by the function behind it", "process._kill(process.ppid, 0)"],
  ["sends its host no signal by the module", `(await import("node:process")).kill(process.ppid, 0)`],
  ["sends its host no signal by asking for the module", `process.getBuiltinModule("process").kill(process.ppid, 0)`],
  ["opens no debugger in its host", "process._debugProcess(process.ppid)"],
  ["ends no debugger of its host", "process._debugEnd(process.ppid)"],
  ["signals no process group", `new (await import("node:child_process")).ChildProcess()._handle.kill(0)`],
  ["starts nothing by a handle", `new (await import("node:child_process")).ChildProcess()._handle.spawn({})`],
  ["slows its host by no priority", `(await import("node:os")).setPriority(process.ppid, 19)`],
  ["finds no inner modules", `process.binding("fs")`],
  ["finds no linked modules", `process._linkedBinding("fs")`],
];

/** In a process of its own: what is taken away does not come back. */
function attackDisarmed(codes: string[]): string[] {
  const script = `import { disarmProcess } from "${new URL("./disarm.ts", import.meta.url).href}";
    disarmProcess();
    const AsyncFunction = (async () => {}).constructor;
    const attack = (code) => AsyncFunction(code)().then(() => "reached", (error) => error.message);
    console.log(JSON.stringify(await Promise.all(${JSON.stringify(codes)}.map(attack))));`;
  const { stdout } = spawnSync(process.execPath, ["--import", "tsx", "--input-type=module", "-e", script], {
    encoding: "utf8",
  });
  return JSON.parse(stdout) as string[];
}

describe("a child that has broken out of everything and found Node", () => {
  const outcomes = attackDisarmed(ATTACKS.map(([, code]) => code));

  it.each(ATTACKS.map(([name], index) => [name, outcomes[index]]))("%s", (_, outcome) => {
    expect(outcome).toMatch(/is not a function/);
  });
});
