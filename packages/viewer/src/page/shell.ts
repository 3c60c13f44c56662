import type { Page, PageContext } from "./context.js";
import { element, svg } from "./element.js";
import { SearchBox } from "./search/search-box.js";

export interface Shell {
  show(page: Page, tab: string | undefined): void;
}

const TABS: readonly [page: string, title: string][] = [
  ["map", "Map"],
  ["runs", "Runs"],
  ["list", "List"],
];

/** What stands around every page: name, ways to go, search, light and dark. */
export function createShell(context: PageContext, live: HTMLElement): Shell {
  const main = element("main", { id: "main", tabindex: -1 });
  const tabs = TABS.map(([page, title]) => element("a", { href: `#/${page}` }, title));
  const search = new SearchBox(context);
  const header = element(
    "header",
    { class: "top" },
    element("a", { class: "brand", href: "#/map" }, mark(), element("span", {}, context.view.title)),
    element("nav", { "aria-label": "Views" }, ...tabs),
    search.element,
    createThemeButton(context),
  );
  const skip = element("a", { class: "skip", href: "#main" }, "Skip to the content");
  skip.addEventListener("click", (event) => {
    event.preventDefault();
    (main.querySelector<HTMLElement>(".graph") ?? main).focus();
  });
  document.body.append(skip, header, main, live);
  addEventListener("keydown", (event) => {
    if (event.key !== "/" || isTyping(event.target)) return;
    event.preventDefault();
    search.focus();
  });
  return {
    show(page, tab) {
      for (const [at, link] of tabs.entries()) {
        if (TABS[at]?.[0] === tab) link.setAttribute("aria-current", "page");
        else link.removeAttribute("aria-current");
      }
      document.title = `${page.title} · ${context.view.title}`;
      main.replaceChildren(page.element);
      scrollTo(0, 0);
    },
  };
}

function createThemeButton({ theme }: PageContext): HTMLElement {
  const button = element("button", { type: "button", class: "theme", click: () => theme.toggle() });
  const name = (): void => {
    const next = theme.read() === "dark" ? "light" : "dark";
    button.textContent = next === "dark" ? "☾" : "☀";
    button.setAttribute("aria-label", `Show ${next}`);
    button.title = `Show ${next}`;
  };
  theme.onChange(name);
  name();
  return button;
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName))
  );
}

function mark(): SVGSVGElement {
  return svg(
    "svg",
    { viewBox: "0 0 24 24", width: 24, height: 24, "aria-hidden": "true", class: "mark" },
    svg("path", { d: "M6 17 L12 6 L18 17 z" }),
    svg("circle", { cx: 12, cy: 6, r: 3.2 }),
    svg("circle", { cx: 6, cy: 17, r: 3.2 }),
    svg("rect", { x: 15, y: 14, width: 6, height: 6 }),
  );
}
