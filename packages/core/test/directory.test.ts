import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";

import { inspectDirectory, openPglite } from "@pml/core";
import { afterAll, describe, expect, it } from "vitest";

const root = mkdtempSync(join(tmpdir(), "pml-directory-"));
let count = 0;
const fresh = (): string => join(root, String(++count));

afterAll(() => rmSync(root, { recursive: true, force: true }));

describe("the directory of a memory", () => {
  it("keeps what was written, and can be opened again", async () => {
    const dataDir = fresh();
    const first = await openPglite({ dataDir });
    await first.query("insert into adaptive_threshold (org, project, context_key, state) values ('o', 'p', 'k', '{}')");
    await first.close();
    const second = await openPglite({ dataDir });
    expect(await second.query("select context_key from adaptive_threshold")).toEqual([{ context_key: "k" }]);
    await second.close();
    expect(readdirSync(dataDir).sort()).toEqual(["pml.json", "postgres"]);
  });

  it("refuses what cannot be sent to it, and leaves nobody waiting for an answer", async () => {
    const database = await openPglite({ dataDir: fresh() });
    await expect(database.query("select $1::text", [() => 1])).rejects.toMatchObject({ code: "PML_INVALID_INPUT" });
    expect(await database.query("select 1 as one")).toEqual([{ one: 1 }]);
    await database.close();
  });

  it("is used by one at a time, and says who has it", async () => {
    const dataDir = fresh();
    const first = await openPglite({ dataDir });
    const error: unknown = await openPglite({ dataDir }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "PML_DATABASE_LOCKED", details: { pid: process.pid, host: hostname() } });
    await first.close();
    await (await openPglite({ dataDir })).close();
  });

  it.each<[string, Record<string, unknown>]>([
    ["that is dead", { pid: 2 ** 22 + 1, host: hostname() }],
    ["whose number another process has now", { pid: process.pid, host: hostname(), started: "1" }],
  ])("is taken over from an owner %s", async (_, owner) => {
    const dataDir = fresh();
    mkdirSync(dataDir);
    writeFileSync(join(dataDir, "lock.json"), JSON.stringify({ ...owner, token: "x", since: "2020-01-01" }));
    const database = await openPglite({ dataDir });
    expect(JSON.parse(readFileSync(join(dataDir, "lock.json"), "utf8"))).toMatchObject({ pid: process.pid });
    await database.close();
  });

  it.each([
    ["nothing", ""],
    ["a part", "-4"],
    ["all", "-42\n/base\n1760000000\n5432\n\n\n0\n"],
  ])("opens again where a crash left %s of PostgreSQL's own lock file", async (_, left) => {
    const dataDir = fresh();
    await (await openPglite({ dataDir })).close();
    writeFileSync(join(dataDir, "postgres", "postmaster.pid"), left);
    const database = await openPglite({ dataDir });
    expect(await database.query("select 1 as one")).toEqual([{ one: 1 }]);
    await database.close();
  });

  it("is never taken from an owner on another machine", async () => {
    const dataDir = fresh();
    mkdirSync(dataDir);
    writeFileSync(
      join(dataDir, "lock.json"),
      JSON.stringify({ pid: 1, host: "elsewhere", token: "x", since: "2020-01-01" }),
    );
    await expect(openPglite({ dataDir })).rejects.toMatchObject({
      code: "PML_DATABASE_LOCKED",
      details: { host: "elsewhere" },
    });
  });

  it("goes to exactly one of several that find a dead owner at once", async () => {
    const dataDir = fresh();
    mkdirSync(dataDir);
    writeFileSync(
      join(dataDir, "lock.json"),
      JSON.stringify({ pid: 2 ** 22 + 1, host: hostname(), token: "x", since: "2020-01-01" }),
    );
    const script = `import { inspectDirectory, openPglite } from "@pml/core";
      try { await openPglite({ dataDir: ${JSON.stringify(dataDir)} }); console.log("won"); setInterval(() => {}, 1000); }
      catch (error) { console.log(error.code); }`;
    const children = Array.from({ length: 4 }, () =>
      spawn(process.execPath, ["--input-type=module", "-e", script], { cwd: import.meta.dirname }),
    );
    const said = await Promise.all(
      children.map(
        (child) =>
          new Promise<string>((resolve) =>
            child.stdout.once("data", (data: Buffer) => resolve(data.toString().trim())),
          ),
      ),
    );
    for (const child of children) child.kill("SIGKILL");
    expect(said.sort()).toEqual(["PML_DATABASE_LOCKED", "PML_DATABASE_LOCKED", "PML_DATABASE_LOCKED", "won"]);
  });

  it("begins again where making it was interrupted", async () => {
    const dataDir = fresh();
    mkdirSync(join(dataDir, "postgres"), { recursive: true });
    writeFileSync(join(dataDir, "pml.json"), JSON.stringify({ format: 1, state: "creating" }));
    writeFileSync(join(dataDir, "postgres", "PG_VERSION"), "");
    const database = await openPglite({ dataDir });
    expect(await database.query("select 1 as one")).toEqual([{ one: 1 }]);
    await database.close();
  });

  it("is not made where other files are, and leaves them alone", async () => {
    const dataDir = fresh();
    mkdirSync(dataDir);
    writeFileSync(join(dataDir, "thesis.txt"), "years of work");
    await expect(openPglite({ dataDir })).rejects.toMatchObject({
      code: "PML_DIRECTORY_FOREIGN",
      details: { found: ["thesis.txt"] },
    });
    expect(readdirSync(dataDir)).toEqual(["thesis.txt"]);
  });

  it.each<[string, string, (dataDir: string) => void]>([
    ["somebody else's pml.json", "PML_DIRECTORY_FOREIGN", (dataDir) => writeMarker(dataDir, { name: "mine" })],
    ["a pml.json of a later format", "PML_DATABASE_NEWER", (dataDir) => writeMarker(dataDir, { format: 2 })],
    ["nothing in pml.json", "PML_DATABASE_DAMAGED", (dataDir) => writeMarker(dataDir, null)],
    // What cannot be read now, for want of file handles say, may well be there.
    ["a pml.json that cannot be read", "PML_DIRECTORY_UNWRITABLE", (dataDir) => mkdirSync(join(dataDir, "pml.json"))],
  ])("is not begun anew for %s", async (_, code, mark) => {
    const dataDir = fresh();
    mkdirSync(join(dataDir, "postgres"), { recursive: true });
    writeFileSync(join(dataDir, "postgres", "precious"), "");
    mark(dataDir);
    await expect(openPglite({ dataDir })).rejects.toMatchObject({ code });
    expect(readdirSync(join(dataDir, "postgres"))).toEqual(["precious"]);
  });

  it("is not taken from an owner whose lock cannot be read", async () => {
    const dataDir = fresh();
    mkdirSync(join(dataDir, "lock.json"), { recursive: true });
    await expect(openPglite({ dataDir })).rejects.toMatchObject({ code: "PML_DIRECTORY_UNWRITABLE" });
  });

  it.each(["", "{", "null", '{"pid":"1"}'])("is taken over where its lock holds %j", async (text) => {
    const dataDir = fresh();
    mkdirSync(dataDir);
    writeFileSync(join(dataDir, "lock.json"), text);
    await (await openPglite({ dataDir })).close();
    expect(readdirSync(dataDir)).not.toContain("lock.json");
  });

  it.each<[string, string, (dataDir: string) => void]>([
    [
      "a truncated control file",
      "PML_DATABASE_DAMAGED",
      (dataDir) => truncateSync(join(dataDir, "postgres/global/pg_control"), 10),
    ],
    ["no version", "PML_DATABASE_DAMAGED", (dataDir) => rmSync(join(dataDir, "postgres/PG_VERSION"))],
    [
      "a marker that is not readable",
      "PML_DATABASE_DAMAGED",
      (dataDir) => writeFileSync(join(dataDir, "pml.json"), "{"),
    ],
    [
      "another major version of PostgreSQL",
      "PML_DATABASE_NEWER",
      (dataDir) => writeFileSync(join(dataDir, "postgres/PG_VERSION"), "99\n"),
    ],
  ])("with %s is an error, and nothing in it is lost", async (_, code, damage) => {
    const dataDir = fresh();
    await (await openPglite({ dataDir })).close();
    damage(dataDir);
    const before = listFiles(dataDir);
    await expect(openPglite({ dataDir })).rejects.toMatchObject({ code });
    expect(listFiles(dataDir)).toEqual(expect.arrayContaining(before));
    await expect(openPglite({ dataDir }), "the lock was released").rejects.toMatchObject({ code });
  });

  it("that is a file is an error", async () => {
    const dataDir = fresh();
    writeFileSync(dataDir, "");
    await expect(openPglite({ dataDir })).rejects.toMatchObject({ code: "PML_DIRECTORY_UNWRITABLE" });
    expect(readFileSync(dataDir, "utf8")).toBe("");
  });

  it("does not keep a process from ending", () => {
    const script = `import { inspectDirectory, openPglite } from "@pml/core"; await openPglite({ dataDir: ${JSON.stringify(fresh())} });`;
    const run = (): unknown =>
      execFileSync(process.execPath, ["--input-type=module", "-e", script], {
        cwd: import.meta.dirname,
        timeout: 30_000,
      });
    expect(run).not.toThrow();
  });
});

function writeMarker(dataDir: string, marker: unknown): void {
  writeFileSync(join(dataDir, "pml.json"), JSON.stringify(marker));
}

function listFiles(dataDir: string): string[] {
  return readdirSync(dataDir, { recursive: true, encoding: "utf8" }).sort();
}

describe("a look at a directory from outside", () => {
  it("says what it is, and who has it, without opening it", async () => {
    const dataDir = fresh();
    expect(await inspectDirectory(dataDir)).toMatchObject({ state: "absent", bytes: 0, lock: undefined });
    mkdirSync(dataDir);
    expect(await inspectDirectory(dataDir)).toMatchObject({ state: "empty" });
    const database = await openPglite({ dataDir });
    const { bytes, ...report } = await inspectDirectory(dataDir);
    expect(report).toEqual({
      state: "ready",
      postgres: { found: report.postgres.known, known: report.postgres.known },
      lock: { pid: process.pid, host: hostname(), since: expect.any(String), alive: true },
    });
    expect(bytes).toBeGreaterThan(1_000_000);
    await database.close();
    expect(await inspectDirectory(dataDir)).toMatchObject({ state: "ready", lock: undefined });
  });

  it.each<[string, Record<string, string>]>([
    ["foreign", { "notes.txt": "mine" }],
    ["unfinished", { "pml.json": '{"state":"creating"}' }],
    ["damaged", { "pml.json": '{"state":"ready"}' }],
    ["damaged", { "pml.json": "{" }],
  ])("calls it %s when it holds %j", async (state, files) => {
    const dataDir = fresh();
    mkdirSync(dataDir);
    for (const [name, text] of Object.entries(files)) writeFileSync(join(dataDir, name), text);
    expect(await inspectDirectory(dataDir)).toMatchObject({ state });
    expect(readdirSync(dataDir)).toEqual(Object.keys(files));
  });
});
