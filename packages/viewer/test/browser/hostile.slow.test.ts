// oxlint-disable vitest/no-conditional-tests -- where there is no browser, the suite says so instead
import { renderHtml } from "@pml/viewer";
import type { Browser, Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";

import { HOSTILE, openHostileMemory } from "../hostile-memory.js";
import { startChromium } from "./chromium.js";
import { visit } from "./visit.js";

const chromium = await startChromium();

if (chromium.available) describeHostile(chromium.browser);
else {
  it("did not run in a browser", () => {
    console.warn(`There is no Chromium here: ${chromium.reason}`);
    expect(chromium.available).toBe(false);
  });
}

function describeHostile(browser: Browser): void {
  afterAll(() => browser.close());

  describe("a page of hostile texts", () => {
    it.each(["canvas", "webgl"] as const)("runs none of them, wherever they stand, painted by %s", async (renderer) => {
      const pml = await openHostileMemory();
      const html = await renderHtml(pml, { title: HOSTILE[1]?.[1] ?? "", renderer });
      await pml.close();
      const { page, incidents, go, leave } = await visit(browser, html);
      await trap(page);
      const hashes = await listHashes(page);
      expect(hashes.length).toBeGreaterThan(3 * HOSTILE.length);
      for (const hash of hashes) {
        await go(hash);
        await touchEverything(page);
      }
      for (const [, text] of HOSTILE) await page.locator("#search").fill(text);
      expect(await page.evaluate(() => (globalThis as { hits?: string[] }).hits)).toEqual([]);
      expect(await countForeign(page)).toBe(0);
      expect(incidents).toEqual([]);
      await leave();
    });

    it("shows them as they are", async () => {
      const pml = await openHostileMemory();
      const { page, go, incidents, leave } = await visit(browser, await renderHtml(pml));
      const [, script] = HOSTILE[0] ?? ["", ""];
      const tool = `h0:${script}`;
      await pml.close();
      await go(`#/tool/${encodeURIComponent(tool)}`);
      expect(await page.locator("h1").textContent()).toBe(tool);
      expect(await page.locator(".lead").textContent()).toBe(script);
      expect(await page.locator("th code").first().textContent()).toBe(script);
      expect(incidents).toEqual([]);
      await leave();
    });

    it("could not run a script even if one came to stand in it", async () => {
      const pml = await openHostileMemory();
      const { page, incidents, leave } = await visit(browser, await renderHtml(pml));
      await pml.close();
      await trap(page);
      const refused = await page.evaluate(() => {
        try {
          document.body.innerHTML = `<img src=x onerror=hit("markup")>`;
          return false;
        } catch {
          return true;
        }
      });
      await page.evaluate(() => {
        const script = document.createElement("script");
        script.append(`hit("made")`);
        document.body.append(script);
        const image = document.createElement("img");
        image.src = "https://attacker.test/pixel.png";
        document.body.append(image);
      });
      await page.waitForTimeout(200);
      expect(refused).toBe(true);
      expect(await page.evaluate(() => (globalThis as { hits?: string[] }).hits)).toEqual([]);
      // The policy says so in the console; nothing was sent.
      expect(incidents.filter((each) => !/^(console error|asked)/.test(each))).toEqual([]);
      expect(incidents.filter((each) => each.includes("Content Security Policy")).length).toBeGreaterThan(0);
      await leave();
    });
  });
}

/** What hostile texts call, should any of them run. */
async function trap(page: Page): Promise<void> {
  await page.evaluate(() => {
    const hits: string[] = [];
    Object.assign(globalThis, { hits, hit: (what: string) => void hits.push(what) });
  });
}

/** The address of every page there is. */
async function listHashes(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { capabilities, tools, definition } = JSON.parse(document.getElementById("memory")?.textContent ?? "{}") as {
      capabilities: { id: string }[];
      tools: { id: string }[];
      definition: { nodes: { thing: string }[] };
    };
    // oxlint-disable-next-line unicorn/consistent-function-scoping -- it runs in the page
    const of = (name: string, ids: readonly string[]): string[] =>
      ids.map((id) => `#/${name}/${encodeURIComponent(id)}`);
    return [
      "#/runs",
      "#/list",
      ...of(
        "map",
        definition.nodes.map(({ thing }) => thing),
      ),
      ...of(
        "capability",
        capabilities.map(({ id }) => id),
      ),
      ...of(
        "tool",
        tools.map(({ id }) => id),
      ),
    ];
  });
}

/** Opens what can be opened, points at what can be pointed at. */
async function touchEverything(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const details of document.querySelectorAll("details")) details.open = true;
    for (const button of document.querySelectorAll<HTMLButtonElement>("main button:not(.close)")) button.click();
    for (const each of document.querySelectorAll("main *")) {
      for (const type of ["mouseover", "focus"]) each.dispatchEvent(new Event(type, { bubbles: true }));
      if (each.matches("[data-step]")) each.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    }
  });
}

/** Elements that this page never makes, and attributes it never sets. */
async function countForeign(page: Page): Promise<number> {
  return page.evaluate(() => {
    const made = document.querySelectorAll(
      "img, iframe, object, embed, form, base, body script:not(:nth-of-type(-n + 2))",
    );
    const attributes = [...document.querySelectorAll("*")].flatMap((each) => [...each.attributes]);
    const links = [...document.querySelectorAll("a")].filter((link) => !link.getAttribute("href")?.startsWith("#"));
    return made.length + links.length + attributes.filter(({ name }) => name.startsWith("on")).length;
  });
}
