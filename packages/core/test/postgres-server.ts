import { execFileSync, type ExecFileSyncOptions } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";

import { openPostgres } from "@pml/core";

/** Kept outside the clone, since it takes a minute and 700 MB to make. */
const HOME = "/var/tmp/pml-postgres";
const ROOT = join(HOME, "root");
const BIN = "/usr/lib/postgresql/17/bin";
const WAIT = "DPkg::Lock::Timeout=300";
const QUIET: ExecFileSyncOptions = { stdio: ["ignore", "ignore", "pipe"] };

export type PostgresServer =
  | { available: true; createDatabase(): Promise<string>; stop(): void }
  | { available: false; reason: string };

/** The server at `PML_TEST_POSTGRES_URL`, or one made for this run from Debian's packages; or why there is none. */
export async function startPostgres(): Promise<PostgresServer> {
  const given = process.env["PML_TEST_POSTGRES_URL"];
  if (given !== undefined) return serve(given, () => {});
  try {
    prepareRoot();
    return await startOwn();
  } catch (error) {
    const { message, stderr } = error as Error & { stderr?: Buffer };
    return { available: false, reason: `${message} ${stderr?.toString() ?? ""}`.trim().slice(0, 500) };
  }
}

function prepareRoot(): void {
  if (isPrepared()) return;
  if (process.getuid?.() !== 0) throw new Error("A server of its own needs root, to make it with debootstrap.");
  if (!existsSync("/usr/sbin/debootstrap")) {
    // Someone else may be installing something at this moment.
    execFileSync("apt-get", ["-o", WAIT, "update"], QUIET);
    execFileSync("apt-get", ["-o", WAIT, "install", "-y", "debootstrap"], QUIET);
  }
  mkdirSync(HOME, { recursive: true });
  // Made aside and moved into its place: two that make it at once, or one that is cut off, leave no half of a root.
  const making = mkdtempSync(join(HOME, "making-"));
  try {
    chmodSync(making, 0o755);
    const packages = "--include=postgresql-17,postgresql-17-pgvector";
    execFileSync("debootstrap", ["--variant=minbase", packages, "trixie", making, ...findMirror()], QUIET);
    if (!isPrepared()) renameSync(making, ROOT);
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
}

function isPrepared(): boolean {
  return existsSync(join(ROOT, BIN, "postgres"));
}

/** Where this machine has its own packages from; debootstrap's own choice if apt does not say. */
function findMirror(): string[] {
  const filters = ["Created-By: Packages", "Label: Debian", "Component: main"];
  const found = execFileSync("apt-get", ["indextargets", "--format", "$(REPO_URI)", ...filters], { encoding: "utf8" });
  return found.split("\n").filter(Boolean).slice(0, 1);
}

async function startOwn(): Promise<PostgresServer> {
  const port = await findPort();
  const data = `/var/lib/postgresql/test-${port}-${process.pid}`;
  run(`${BIN}/initdb`, "-D", data, "-A", "trust", "-U", "postgres", "-E", "UTF8", "--no-sync");
  const options = `-p ${port} -h 127.0.0.1 -k /tmp -c fsync=off -c max_connections=200`;
  run(`${BIN}/pg_ctl`, "-D", data, "-w", "-l", `${data}.log`, "-o", `'${options}'`, "start");
  return serve(`postgresql://postgres@127.0.0.1:${port}/postgres`, () => {
    run(`${BIN}/pg_ctl`, "-D", data, "-m", "immediate", "-w", "stop");
    rmSync(join(ROOT, data), { recursive: true, force: true });
  });
}

function serve(url: string, stop: () => void): PostgresServer {
  let count = 0;
  return {
    available: true,
    stop,
    async createDatabase() {
      const name = `pml_test_${process.pid}_${Date.now()}_${++count}`;
      const server = await openPostgres({ connectionString: url, maxConnections: 1 });
      await server.exec(`create database ${name}`);
      await server.close();
      return Object.assign(new URL(url), { pathname: `/${name}` }).href;
    },
  };
}

function findPort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

function run(...command: string[]): void {
  execFileSync("chroot", [ROOT, "su", "postgres", "-c", command.join(" ")], QUIET);
}
