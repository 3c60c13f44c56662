// oxlint-disable vitest/no-conditional-tests -- where there is no browser, the suite says so instead
import { renderHtml } from "@pml/viewer";
import type { Browser } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";

import { runOffice } from "../office/run-office.js";
import { startChromium } from "./chromium.js";
import { type Visit, visit } from "./visit.js";

const chromium = await startChromium();

if (chromium.available) describePage(chromium.browser);
else {
  it("did not run in a browser", () => {
    console.warn(`There is no Chromium here: ${chromium.reason}`);
    expect(chromium.available).toBe(false);
  });
}

function describePage(browser: Browser): void {
  let html: Promise<string> | undefined;
  const render = (): Promise<string> => (html ??= renderOffice());
  const visits: Visit[] = [];

  async function open(
    ...options: Parameters<typeof visit> extends [unknown, unknown, ...infer Rest] ? Rest : never
  ): Promise<Visit> {
    const opened = await visit(browser, await render(), ...options);
    visits.push(opened);
    return opened;
  }

  async function close(): Promise<void> {
    for (const opened of visits.splice(0)) {
      expect(opened.incidents).toEqual([]);
      await opened.leave();
    }
  }

  afterAll(() => browser.close());

  describe("the page, with a mouse", () => {
    it("goes from the map to a capability, its tool, and back", async () => {
      const { page } = await open();
      expect(await page.title()).toBe("Map · The office");
      await page.getByRole("searchbox").or(page.getByRole("combobox")).fill("remind customers");
      await page.getByRole("option", { name: /mail:remind_customers/ }).click();
      await page.getByRole("heading", { level: 1, name: "mail:remind_customers" }).waitFor();
      await page
        .getByRole("complementary")
        .getByRole("link", { name: /mail:send/ })
        .click();
      await page.getByRole("heading", { level: 1, name: "mail:send" }).waitFor();
      await page.getByRole("link", { name: "Show on the map" }).click();
      const panel = page.getByRole("complementary", { name: "The chosen node" });
      await panel.getByRole("heading", { name: "mail:send" }).waitFor();
      await panel.getByRole("button", { name: "Close", exact: true }).click();
      expect(await panel.isHidden()).toBe(true);
      await page.goBack();
      await page.getByRole("heading", { level: 1, name: "mail:send" }).waitFor();
      await close();
    });

    it("chooses a node where it is painted, and opens it with two clicks", async () => {
      const { page, go } = await open();
      await go("#/map/fs%3Aread");
      const graph = page.getByRole("application");
      const box = await graph.boundingBox();
      if (box === null) throw new Error("There is no graph.");
      // What is looked at stands in the middle.
      const middle = { x: box.width / 2, y: box.height / 2 };
      await page.getByRole("button", { name: "Close", exact: true }).click();
      await graph.click({ position: middle });
      await page.getByRole("complementary").getByRole("heading", { name: "fs:read" }).waitFor();
      await graph.dblclick({ position: middle });
      await page.getByRole("heading", { level: 1, name: "fs:read" }).waitFor();
      expect(page.url()).toContain("#/tool/");
      await close();
    });

    it("hides what is not to be seen, and lets a community stand out", async () => {
      const { page } = await open();
      const shot = (): Promise<Buffer> => shootGraph(page);
      const whole = await shot();
      await page.getByRole("checkbox", { name: /contains/ }).uncheck();
      const without = await shot();
      expect(without.equals(whole)).toBe(false);
      await page.getByRole("checkbox", { name: /contains/ }).check();
      expect((await shot()).equals(whole)).toBe(true);
      const community = page.locator(".community-choice").first();
      await community.click();
      expect(await community.getAttribute("aria-pressed")).toBe("true");
      expect((await shot()).equals(whole)).toBe(false);
      await community.click();
      expect((await shot()).equals(whole)).toBe(true);
      await close();
    });

    it("pulls and zooms, and comes back", async () => {
      const { page } = await open();
      const shot = (): Promise<Buffer> => shootGraph(page);
      const whole = await shot();
      await page.mouse.move(800, 300);
      await page.mouse.wheel(0, -400);
      const near = await shot();
      await page.mouse.move(800, 300);
      await page.mouse.down();
      await page.mouse.move(700, 250, { steps: 4 });
      await page.mouse.up();
      const pulled = await shot();
      expect(near.equals(whole) || pulled.equals(near)).toBe(false);
      await page.getByRole("button", { name: "All of it" }).click();
      expect((await shot()).equals(whole)).toBe(true);
      await close();
    });

    it("shows runs, and the calls of a run", async () => {
      const { page, go } = await open();
      await page.getByRole("link", { name: "Runs" }).click();
      await expect.poll(() => page.title()).toBe("Runs · The office");
      expect(await page.getByRole("application").getAttribute("aria-label")).toMatch(/^Runs: \d+ nodes/);
      await go(await linkOf(page, "mail:remind_customers"));
      const run = page.locator(".run").nth(1);
      await run.locator("summary").click();
      const failed = run.locator(".task", { has: page.locator(".bar.bad") });
      await failed.first().click();
      expect(await run.locator(".task-detail .failure").textContent()).toContain("nobody at this address");
      await close();
    });

    it("draws a structure as its runs went, and leads from a step to its line", async () => {
      const { page, go } = await open();
      await go(await linkOf(page, "mail:remind_customers"));
      const picture = page.locator("svg.structure");
      expect(await picture.getAttribute("aria-label")).toBe("Structure: 6 calls, 3 decisions, 1 loop");
      const outcomes = await picture.locator("text.outcome").allTextContents();
      expect(outcomes).toContain("false ×4");
      await picture.locator('[data-step="n4"]').click();
      expect(await page.locator(".line.current").textContent()).toContain("mail.send");
      await page.getByLabel("Show where results go").check();
      expect(await picture.locator(".flow").first().isVisible()).toBe(true);
      await close();
    });

    it("shows versions with what changed between them", async () => {
      const { page, go } = await open();
      await go(await linkOf(page, "mail:remind_customers"));
      const version = page.locator(".version").first();
      expect(await version.textContent()).toContain("Says nothing when there is nothing to say");
      expect(await version.locator(".added").textContent()).toMatch(/^\+if \(sent > 0\)/);
      await close();
    });

    it("lists everything, and sorts it", async () => {
      const { page } = await open();
      await page.getByRole("link", { name: "List" }).click();
      const names = (): Promise<string[]> =>
        page.locator("table").first().locator("tbody tr td:first-child .name").allTextContents();
      await page.locator("table").first().getByRole("button", { name: "Name" }).click();
      const ascending = await names();
      await page.locator("table").first().getByRole("button", { name: "Name" }).click();
      expect(await names()).toEqual([...ascending].reverse());
      await close();
    });
  });

  describe("the page, by keys alone", () => {
    it("skips to the graph, walks it, and opens what it finds", async () => {
      const { page } = await open();
      const press = (...keys: string[]): Promise<void> =>
        keys.reduce(async (before, key) => (await before, page.keyboard.press(key)), Promise.resolve());
      await press("Tab", "Enter");
      expect(await page.evaluate(() => document.activeElement?.className)).toContain("graph");
      await press("ArrowDown");
      const first = await page.getByRole("status").textContent();
      expect(first).toMatch(/, (tool|capability|pure operation), \d+ links?$/);
      await press("ArrowLeft");
      expect(await page.getByRole("status").textContent()).not.toBe(first);
      await press("Escape");
      expect(await page.getByRole("status").textContent()).toBe("Nothing chosen");
      await press("+", "-", "0", "Shift+ArrowLeft");
      await press("ArrowRight", "Enter");
      await page.locator("article.page h1").waitFor();
      await close();
    });

    it("searches, goes through what was found, and leaves it", async () => {
      const { page } = await open();
      await page.keyboard.press("/");
      await page.keyboard.type("sum");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("ArrowDown");
      const chosen = page.getByRole("option", { selected: true });
      const name = (await chosen.locator(".name").textContent()) ?? "";
      expect(await page.getByRole("combobox").getAttribute("aria-activedescendant")).toBe(
        await chosen.getAttribute("id"),
      );
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { level: 1, name }).waitFor();
      await page.keyboard.press("/");
      await page.keyboard.type("nothing is called so");
      expect(await page.getByRole("status").textContent()).toBe("0 found");
      await page.keyboard.press("Escape");
      expect(await page.getByRole("listbox").isHidden()).toBe(true);
      await close();
    });

    it("shows where the focus is, everywhere it can be", async () => {
      const { page } = await open();
      for (let stop = 0; stop < 25; stop++) {
        await page.keyboard.press("Tab");
        const outlined = await page.evaluate(() => {
          const { activeElement } = document;
          return (
            activeElement === null ||
            activeElement === document.body ||
            getComputedStyle(activeElement).outlineStyle !== "none"
          );
        });
        expect(outlined, `stop ${stop}`).toBe(true);
      }
      await close();
    });
  });

  describe("the page, for everybody", () => {
    it.each(["light", "dark"] as const)("is %s where the system is, until told otherwise", async (colorScheme) => {
      const { page } = await open({ colorScheme });
      const theme = (): Promise<string | undefined> => page.evaluate(() => document.documentElement.dataset["theme"]);
      expect(await theme()).toBe(colorScheme);
      const other = colorScheme === "light" ? "dark" : "light";
      await page.getByRole("button", { name: `Show ${other}` }).click();
      expect(await theme()).toBe(other);
      await close();
    });

    it.each([320, 390, 768])("fits a window of %i pixels", async (width) => {
      const { page, go } = await open({ viewport: { width, height: 700 } });
      for (const hash of [
        "#/map",
        "#/runs",
        "#/list",
        "#/tool/mail%3Asend",
        await linkOf(page, "mail:remind_customers"),
      ]) {
        await go(hash);
        const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect(over, hash).toBeLessThanOrEqual(0);
      }
      await close();
    });

    it("can be printed, without what only a screen can use", async () => {
      const { page, go } = await open();
      await go(await linkOf(page, "mail:remind_customers"));
      await page.emulateMedia({ media: "print" });
      expect(await page.locator(".search").isVisible()).toBe(false);
      expect(await page.locator("svg.structure").isVisible()).toBe(true);
      await close();
    });

    it("paints the same with WebGL", async () => {
      const office = await runOffice();
      const opened = await visit(browser, await renderHtml(office, { renderer: "webgl" }));
      await office.close();
      const { page, go } = opened;
      expect(await page.locator(".graph").getAttribute("data-renderer")).toBe("webgl");
      await go("#/map/fs%3Aread");
      await settle(page);
      const box = await page.locator(".graph").boundingBox();
      const { x = 0, y = 0, width = 0, height = 0 } = box ?? {};
      await page.getByRole("button", { name: "Close", exact: true }).click();
      await settle(page);
      const clip = { x: x + width / 2 - 4, y: y + height / 2 - 4, width: 8, height: 8 };
      const node = await page.screenshot({ clip });
      const ground = await page.screenshot({ clip: { ...clip, x: x + width / 2 - 4, y: y + 10 } });
      expect(node.equals(ground)).toBe(false);
      expect(opened.incidents).toEqual([]);
      await opened.leave();
    });
  });
}

async function renderOffice(): Promise<string> {
  const office = await runOffice();
  const html = await renderHtml(office, { title: "The office" });
  await office.close();
  return html;
}

/** What is painted, without the legend and the pointer over it. */
async function shootGraph(page: Visit["page"]): Promise<Buffer> {
  await page.mouse.move(20, 20);
  await settle(page);
  return page.screenshot({ clip: { x: 400, y: 70, width: 760, height: 700 } });
}

/** Until nothing moves any more. */
async function settle(page: Visit["page"]): Promise<void> {
  await page.waitForTimeout(400);
}

async function linkOf(page: Visit["page"], name: string): Promise<string> {
  return page.evaluate((wanted) => {
    const { capabilities } = JSON.parse(document.getElementById("memory")?.textContent ?? "{}") as {
      capabilities: { id: string; name: string }[];
    };
    return `#/capability/${capabilities.find((each) => each.name === wanted)?.id}`;
  }, name);
}
