import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createPml } from "@pml/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { fillMemory } from "./fill-memory.js";
import { type Said, shell, type ShellOptions } from "./shell.js";

const folder = mkdtempSync(join(tmpdir(), "pml-cli-"));
const data = join(folder, "memory");
function pml(...argv: string[]): Promise<Said> {
  return shell(["--data", data, ...argv]);
}

async function json(...argv: string[]): Promise<Record<string, never>> {
  return JSON.parse((await pml(...argv, "--json")).out) as Record<string, never>;
}

function on(options: ShellOptions, ...argv: string[]): Promise<Said> {
  return shell(["--data", data, ...argv], options);
}

beforeAll(() => fillMemory(data));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("search", () => {
  it("finds by meaning, the likeliest first, with what it does", async () => {
    const { code, out } = await pml("search", "make", "the", "text", "of", "a", "file", "loud");
    expect(code).toBe(0);
    expect(out.split("\n")[0]).toMatch(/^score +type +name +what it does$/);
    expect(out).toContain("fs:read");
  });

  it("calls what has no name as other commands do", async () => {
    const [, name = ""] = /capability +(unnamed_\w+) +greet somebody/.exec((await pml("search", "greet")).out) ?? [];
    expect((await pml("list")).out).toContain(name);
    expect((await pml("show", name)).out).toContain("intent  greet somebody");
  });

  it("gives data with --json, in snake_case", async () => {
    const { results } = await json("search", "read a file as text", "--type", "tool", "--limit", "1");
    expect(results).toEqual([
      expect.objectContaining({
        id: "fs:read",
        type: "tool",
        score: expect.any(Number),
        input_schema: expect.anything(),
      }),
    ]);
  });
});

describe("list, show, history and stats", () => {
  it("list what can be called", async () => {
    const { out } = await pml("list");
    expect(out).toMatch(/^fs:shout_file +\d/m);
    const { capabilities } = (await json("list", "--namespace", "util")) as unknown as { capabilities: object[] };
    expect(capabilities).toEqual([expect.objectContaining({ name: "util:add_two", usage_count: 1, success_rate: 1 })]);
  });

  it("show one whole: intent, parameters, code and runs", async () => {
    const { out } = await pml("show", "util:add_two");
    for (const part of [
      "intent  add two numbers",
      "status  active",
      "a ",
      "(required)",
      "return { sum: a + b",
      "worked",
    ])
      expect(out).toContain(part);
    expect(await json("show", "fs:shout_file@v1")).toMatchObject({
      name: "fs:shout_file",
      source: { code: expect.stringContaining("toUpperCase") },
      runs: [{ success: true }],
    });
  });

  it("show versions, and what they changed", async () => {
    const { out } = await pml("history", "fs:shout_file", "--diff");
    expect(out).toMatch(/^v2 .*Whispers/);
    expect(out).toContain("toLowerCase");
    const { versions } = (await json("history", "fs:shout_file")) as unknown as { versions: { version: number }[] };
    expect(versions.map(({ version }) => version)).toEqual([2, 1]);
  });

  it("count what there is", async () => {
    expect(await json("stats")).toMatchObject({
      capabilities: { active: 3, draft: 1, degraded: 0, named: 3 },
      tools: { available: 2, away: 0 },
      runs: { kept: 3, failed: 0 },
      bytes: expect.any(Number),
    });
    expect((await pml("stats")).out).toMatch(/^runs +3 kept, 0 of them failed$/m);
  });
});

describe("evaluate", () => {
  it("says how much each figure rests on, and gives none where that is too little", async () => {
    const { code, out } = await pml("evaluate");
    expect(code).toBe(0);
    expect(out).toMatch(/^3 runs, of 3\. 3 intents asked anew/);
    expect(out).toMatch(/^known from other words: is the likeliest +too few +0$/m);
    expect(out).toMatch(/^tool calls saved a run +too few +0$/m);
  });

  it("gives data with --json, in snake_case", async () => {
    expect(await json("evaluate", "--limit", "2")).toMatchObject({
      runs: { looked: 2, kept: 3 },
      intents: { served: 2, asked: 2 },
      recall: { unknown: { wrong: { count: 0, of: 2, share: null, interval: null } } },
      saved: { tool_calls: { of: 0, mean: null }, not_compared: 0 },
      calibration: { held_out: { of: 2, error: null } },
    });
  });

  it("refuses what is no number of runs", async () => {
    expect(await pml("evaluate", "--limit", "0")).toMatchObject({ code: 2, out: "" });
    expect(await pml("evaluate", "--limit", "10001")).toMatchObject({ code: 2, out: "" });
  });
});

describe("run", () => {
  it.each<[string, string[], unknown]>([
    ["its defaults and what is given", ["-a", "a=2", "-a", "b=40"], { sum: 42, of: [2, 40] }],
    ["a JSON object", ["--args", '{"a":1,"b":1}'], { sum: 2, of: [1, 1] }],
    ["both, single ones over the object", ["--args", '{"a":1,"b":1}', "--arg", "b=5"], { sum: 6, of: [1, 5] }],
  ])("takes %s", async (_, argv, result) => {
    expect(await json("run", "util:add_two", ...argv)).toMatchObject({ status: "success", result });
  });

  it("takes arguments from a file and from standard input", async () => {
    const file = join(folder, "args.json");
    writeFileSync(file, '{"a":3,"b":4}');
    expect((await pml("run", "util:add_two", "--args", `@${file}`)).out).toContain('"sum": 7');
    expect((await on({ input: '{"a":3,"b":5}' }, "run", "util:add_two", "--args", "-")).out).toContain('"sum": 8');
  });

  it("fails with the reason, and an exit code that says so", async () => {
    const { code, out } = await pml("run", "util:add_two");
    expect(code).toBe(1);
    expect(out).toMatch(/^It failed: .*PML_INVALID_ARGUMENTS/);
    const away = await pml("run", "fs:shout_file");
    expect(away.code).toBe(1);
    expect(away.out).toContain("--config");
  });
});

describe("rename, export and import", () => {
  it("rename, and the old name goes on working", async () => {
    expect(await pml("rename", "util:add_two", "util:sum_two")).toEqual({
      code: 0,
      out: "util:add_two is now util:sum_two.\n",
      error: "",
    });
    expect(await json("run", "util:add_two", "--args", '{"a":1,"b":2}')).toMatchObject({ result: { sum: 3 } });
    await pml("rename", "util:sum_two", "util:add_two");
  });

  it("carry capabilities to another memory, verified by their runs", async () => {
    const file = join(folder, "bundle.json");
    expect((await pml("export", "util:add_two", "-o", file)).out).toContain("1 capability is in");
    const other = join(folder, "other");
    const { code, out } = await shell(["--data", other, "import", file]);
    expect([code, out]).toEqual([0, "imported  util:add_two  verified by its runs\n"]);
    const again = await shell(["--data", other, "import", "-", "--json"], { input: readFileSync(file, "utf8") });
    expect(JSON.parse(again.out)).toMatchObject({ imported: [], skipped: [{ id: expect.any(String) }] });
  });

  it("write to standard output what import can read", async () => {
    const { out } = await pml("export", "util:add_two");
    expect((JSON.parse(out) as { packages: unknown[] }).packages).toHaveLength(1);
  });

  it("take in nothing of a bundle that was changed, and say so", async () => {
    const bundle = (await pml("export", "util:add_two")).out.replace("a + b", "a - b");
    const { code, out, error } = await shell(["--data", join(folder, "third"), "import", "-"], { input: bundle });
    expect(code).toBe(1);
    expect(out + error).toMatch(/refused|PML_BUNDLE_INVALID/);
  });
});

describe("view", () => {
  it("writes one page that says where it is, and on request nothing of what runs were given", async () => {
    const file = join(folder, "memory.html");
    const { code, out } = await pml("view", "-o", file);
    expect([code, out]).toEqual([0, `Open file://${file} in a browser.\n`]);
    expect(readFileSync(file, "utf8")).toContain("fs:shout_file");
    expect(await json("view", "--no-values", "-o", file)).toMatchObject({ file, bytes: expect.any(Number) });
  });
});

describe("doctor", () => {
  it("looks at everything, and finds it well", async () => {
    const { code, out } = await pml("doctor");
    expect(code).toBe(0);
    expect(out.split("\n").map((line) => line.slice(0, 18).trim())).toEqual([
      "ok      version",
      "ok      node",
      "ok      embedder",
      "ok      directory",
      "ok      memory",
      "",
    ]);
  });

  it("says who has the directory, and leaves it alone", async () => {
    const memory = await createPml({ dataDir: data, tools: "stored" });
    try {
      const { code, out } = await pml("doctor");
      expect(code).toBe(0);
      expect(out).toContain(`in use by process ${process.pid}`);
      expect((await pml("list")).error).toContain("PML_DATABASE_LOCKED");
    } finally {
      await memory.close();
    }
  });

  it("makes nothing where there is no memory", async () => {
    const nowhere = join(folder, "nowhere");
    expect((await shell(["--data", nowhere, "doctor"])).out).toContain("is not there");
    expect(existsSync(nowhere)).toBe(false);
  });

  it("fails for a directory that holds something else", async () => {
    const code = (await shell(["--data", folder, "doctor"])).code;
    expect(code).toBe(1);
  });
});

describe("called wrongly, it says how", () => {
  it.each<[string, string[], number, RegExp]>([
    ["no such command", ["serach", "x"], 2, /Did you mean search/],
    ["no such option", ["list", "--nmae"], 2, /Did you mean --name/],
    ["a choice that is none", ["list", "--sort", "colour"], 2, /Allowed choices/],
    ["a number that is none", ["search", "x", "--limit", "many"], 2, /whole number/],
    ["nothing to search for", ["search"], 2, /missing required argument/],
    ["an argument without a name", ["run", "util:add_two", "-a", "5"], 2, /name=value/],
    ["arguments that are no object", ["run", "util:add_two", "--args", "[1]"], 2, /JSON object/],
    ["a name that is none", ["rename", "util:add_two", "Not A Name"], 2, /PML_NAME_INVALID/],
    ["a name that nothing has", ["show", "util:nothing_here"], 1, /PML_NOT_FOUND/],
    ["a file that is not there", ["import", "nothing.json"], 1, /CLI_UNREADABLE/],
    ["a config that is not there", ["--config", "nothing.json", "run", "util:add_two"], 1, /CLI_UNREADABLE/],
    ["a folder as the output", ["export", "-o", folder], 1, /CLI_UNWRITABLE/],
    ["two places at once", ["--database", "postgres://x", "list"], 2, /one place/],
  ])("%s", async (_, argv, code, message) => {
    const said = await pml(...argv);
    expect(said.code).toBe(code);
    expect(said.error).toMatch(message);
    expect(said.error).not.toMatch(/^\s+at /m);
  });

  it("where there is no memory, without making one", async () => {
    const nowhere = join(folder, "nowhere");
    expect(await shell(["list"], { environment: { PML_DATA: nowhere } })).toMatchObject({
      code: 1,
      error: expect.stringContaining("CLI_NO_MEMORY"),
    });
    expect(existsSync(nowhere)).toBe(false);
  });

  it("as data with --json", async () => {
    const { code, out, error } = await pml("show", "util:nothing_here", "--json");
    expect([code, error]).toEqual([1, ""]);
    expect(JSON.parse(out)).toMatchObject({ error: { code: "PML_NOT_FOUND" } });
  });
});

it.each([
  ["--help"],
  ...["search", "list", "show", "run", "history", "rename", "export", "import", "view", "stats", "doctor"].map(
    (name) => [name, "--help"],
  ),
])("%s %s ends with 0 and shows how it is used", async (...argv) => {
  const { code, out } = await shell(argv);
  expect(code).toBe(0);
  expect(out).toMatch(/^Usage: pml/);
  expect(out).toContain(argv.length === 1 ? "Exit codes:" : "Examples:");
});

describe("what the memory holds", () => {
  it.each([
    [["list"]],
    [["show", "mail:send_all"]],
    [["search", "send a mail"]],
    [["stats"]],
    [["run", "mail:send_all"]],
    [["show", "mail:send_all", "--json"]],
    [["search", "send a mail", "--json"]],
  ])("cannot command the screen through %j", async (argv) => {
    const { out } = await on({ screen: true }, ...argv);
    // What is left is our own: bold, dim, and back.
    const rest = ["1", "2", "22"].reduce((text, style) => text.replaceAll(`\u001b[${style}m`, ""), out);
    expect(rest).not.toMatch(/(?!\n)[\p{Cc}\p{Bidi_Control}]/u);
  });
});
