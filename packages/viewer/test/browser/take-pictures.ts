// Takes the pictures of the page that stand in docs/images: `npm run docs:pictures`.
import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";

import { type Pml } from "@pml/core";
import { renderHtml } from "@pml/viewer";
import type { Browser, Page } from "playwright-core";

import { createLargeMemory } from "../large-memory.js";
import { runOffice } from "../office/run-office.js";
import { startChromium } from "./chromium.js";
import { visit } from "./visit.js";

const FOLDER = join("docs", "images");

const chromium = await startChromium();
if (!chromium.available) throw new Error(`There is no Chromium here: ${chromium.reason}`);
mkdirSync(FOLDER, { recursive: true });
const office = await drawn(await runOffice({ newId: createIds() }), "What the office knows");
const large = await drawn(await createLargeMemory(), "5 000 nodes");
await take(chromium.browser, { html: office, name: "viewer-light" });
await take(chromium.browser, { html: office, name: "viewer-dark", colorScheme: "dark", before: chooseNode });
await take(chromium.browser, { html: office, name: "viewer-runs", hash: "#/runs" });
await take(chromium.browser, { html: office, name: "viewer-capability", height: 1480, before: openCapability });
await take(chromium.browser, { html: large, name: "viewer-5000", colorScheme: "dark", width: 920, height: 580 });
await chromium.browser.close();

interface Picture {
  html: string;
  name: string;
  hash?: string;
  colorScheme?: "light" | "dark";
  width?: number;
  height?: number;
  before?: (page: Page) => Promise<void>;
}

async function take(
  browser: Browser,
  { html, name, hash = "#/map", colorScheme = "light", width = 1280, height = 800, before }: Picture,
): Promise<void> {
  const viewport = { width, height };
  const { page, go, incidents, leave } = await visit(browser, html, { viewport, colorScheme });
  await go(hash);
  await before?.(page);
  await page.waitForTimeout(800);
  await page.screenshot({ path: join(FOLDER, `${name}.png`) });
  if (incidents.length > 0) throw new Error(incidents.join("\n"));
  await leave();
}

async function drawn(pml: Pml, title: string): Promise<string> {
  const html = await renderHtml(pml, { title });
  await pml.close();
  return html;
}

async function chooseNode(page: Page): Promise<void> {
  await page.evaluate(() => (location.hash = "#/map/mail%3Asend"));
}

async function openCapability(page: Page): Promise<void> {
  await page.keyboard.press("/");
  await page.keyboard.type("mail:remind_customers");
  await page.keyboard.press("Enter");
}

/** Ids decide in which order some things stand: the same each time. */
function createIds(): () => string {
  let count = 0;
  return () => {
    const hash = createHash("sha256").update(`${count++}`).digest("hex");
    return [8, 4, 4, 4, 12]
      .map((length, at) => hash.slice(at * 12, at * 12 + length))
      .join("-")
      .replace(/^(.{14})./, "$14")
      .replace(/^(.{19})./, "$18");
  };
}
