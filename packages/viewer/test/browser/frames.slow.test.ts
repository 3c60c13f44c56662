// oxlint-disable vitest/no-conditional-tests -- where there is no browser, the suite says so instead
import { renderHtml } from "@pml/viewer";
import type { Browser, Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";

import { createLargeMemory, LARGE } from "../large-memory.js";
import { startChromium } from "./chromium.js";
import { visit } from "./visit.js";

const chromium = await startChromium();
const FRAMES = 120;

if (chromium.available) describeFrames(chromium.browser);
else {
  it("did not run in a browser", () => {
    console.warn(`There is no Chromium here: ${chromium.reason}`);
    expect(chromium.available).toBe(false);
  });
}

function describeFrames(browser: Browser): void {
  afterAll(() => browser.close());

  describe("a map of 5 000 nodes", () => {
    it("is pulled and zoomed, painted in every frame, and says how fast that was", async () => {
      const pml = await createLargeMemory();
      const html = await renderHtml(pml);
      await pml.close();
      const { page, incidents, leave } = await visit(browser, html);
      const label = await page.getByRole("application").getAttribute("aria-label");
      expect(label).toContain(`${LARGE.tools + LARGE.capabilities} nodes`);
      expect(await page.getByRole("application").getAttribute("data-renderer")).toBe("canvas");
      const rates = [await measure(page, "pull"), await measure(page, "zoom")];
      for (const { what, frames, perSecond, medianMs } of rates) {
        console.log(`${what}: ${perSecond.toFixed(0)} frames a second, ${medianMs.toFixed(0)} ms in the median`);
        expect(frames).toBe(FRAMES);
      }
      console.log(`${(html.length / 1e6).toFixed(1)} MB`);
      expect(incidents).toEqual([]);
      await leave();
    });
  });
}

interface Rate {
  what: string;
  frames: number;
  perSecond: number;
  medianMs: number;
}

/** One gesture a frame, as a hand would make it, each frame painted before the next. */
async function measure(page: Page, what: "pull" | "zoom"): Promise<Rate> {
  const times = await page.evaluate(
    async ({ what, count }) => {
      const graph = document.querySelector<HTMLElement>(".graph") as HTMLElement;
      // A pointer made by a script cannot be captured.
      graph.setPointerCapture = () => {};
      const point = (type: string, x: number, y: number): boolean =>
        graph.dispatchEvent(new PointerEvent(type, { clientX: x, clientY: y, button: 0, pointerId: 1, bubbles: true }));
      const turn = (deltaY: number): boolean =>
        graph.dispatchEvent(
          new WheelEvent("wheel", { clientX: 700, clientY: 400, deltaY, bubbles: true, cancelable: true }),
        );
      // oxlint-disable-next-line unicorn/consistent-function-scoping -- it runs in the page
      const frame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));
      if (what === "pull") point("pointerdown", 700, 400);
      const taken: number[] = [];
      let last = await frame();
      for (let at = 0; at < count; at++) {
        if (what === "pull") point("pointermove", 700 + 200 * Math.sin(at / 12), 400 + 150 * Math.cos(at / 12));
        else turn(at % 50 < 25 ? -60 : 60);
        const now = await frame();
        taken.push(now - last);
        last = now;
      }
      if (what === "pull") point("pointerup", 900, 400);
      return taken;
    },
    { what, count: FRAMES },
  );
  const sorted = [...times].sort((a, b) => a - b);
  const total = times.reduce((sum, time) => sum + time, 0);
  return { what, frames: times.length, perSecond: (times.length * 1000) / total, medianMs: sorted[FRAMES >> 1] ?? 0 };
}
