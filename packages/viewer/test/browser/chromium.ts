import { execFileSync, type ExecFileSyncOptions } from "node:child_process";
import { existsSync } from "node:fs";

import { type Browser, chromium } from "playwright-core";

const QUIET: ExecFileSyncOptions = { stdio: ["ignore", "ignore", "pipe"] };
const INSTALLED = "/usr/bin/chromium";

/** Nothing that would reach for the network, and no graphics card, as on most machines that run tests. */
const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export type Chromium = { available: true; browser: Browser } | { available: false; reason: string };

/** The browser at `PML_TEST_CHROMIUM`, or that of Debian, installed if it is not there; or why there is none. */
export async function startChromium(): Promise<Chromium> {
  try {
    const executablePath = process.env["PML_TEST_CHROMIUM"] ?? install();
    return { available: true, browser: await chromium.launch({ executablePath, args: FLAGS }) };
  } catch (error) {
    const { message, stderr } = error as Error & { stderr?: Buffer };
    return { available: false, reason: `${message} ${stderr?.toString() ?? ""}`.trim().slice(0, 500) };
  }
}

function install(): string {
  if (existsSync(INSTALLED)) return INSTALLED;
  if (process.getuid?.() !== 0) throw new Error("Chromium is not installed, and installing it needs root.");
  execFileSync("apt-get", ["update"], QUIET);
  execFileSync("apt-get", ["install", "-y", "--no-install-recommends", "chromium"], QUIET);
  return INSTALLED;
}
