import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import type { Browser, BrowserContextOptions, Page } from "playwright-core";

export interface Visit {
  page: Page;
  /** What a page that stands alone never does: errors, warnings, dialogs, requests, windows. */
  incidents: string[];
  go(hash: string): Promise<void>;
  leave(): Promise<void>;
}

/** A warning of the driver that draws WebGL on a processor; it is about speed. */
const OF_THE_DRIVER = "GL Driver Message";

/** Opens a page from a file, as whoever was sent it does, and watches what it does. */
export async function visit(browser: Browser, html: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const folder = mkdtempSync(join(tmpdir(), "pml-viewer-"));
  const file = join(folder, "memory.html");
  writeFileSync(file, html);
  const url = pathToFileURL(file).href;
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    reducedMotion: "reduce",
    ...options,
  });
  const incidents: string[] = [];
  const page = await context.newPage();
  // What the policy of the page refuses is asked for, and does not come here.
  await context.route(
    ({ protocol }) => protocol !== "file:" && protocol !== "data:",
    (route) => {
      incidents.push(`sent: ${route.request().url()}`);
      return route.abort();
    },
  );
  page.on("console", (message) => {
    if (!message.text().includes(OF_THE_DRIVER)) incidents.push(`console ${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => incidents.push(`error: ${error.message}`));
  page.on("dialog", (dialog) => {
    incidents.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("popup", () => incidents.push("a window was opened"));
  page.on("request", (request) => {
    if (request.url().split("#")[0] !== url && request.url() !== "data:,") incidents.push(`asked: ${request.url()}`);
  });
  await page.goto(url);
  await page.locator("main > *").first().waitFor();
  return {
    page,
    incidents,
    async go(hash) {
      await page.evaluate((to) => void (location.hash = to), hash);
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    },
    async leave() {
      await context.close();
      rmSync(folder, { recursive: true });
    },
  };
}
