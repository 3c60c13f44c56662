import type { MemoryView } from "../memory-view.js";
import { createCatalog } from "./catalog.js";
import type { Page, PageContext } from "./context.js";
import { element } from "./element.js";
import { createCapabilityPage } from "./pages/capability-page.js";
import { createGraphPage } from "./pages/graph-page.js";
import { createListPage } from "./pages/list-page.js";
import { createToolPage } from "./pages/tool-page.js";
import { type Route, readRoute, writeRoute } from "./route.js";
import { createShell } from "./shell.js";
import { createTheme } from "./theme.js";

const data = document.getElementById("memory")?.textContent ?? "{}";
start(JSON.parse(data) as MemoryView);

function start(view: MemoryView): void {
  const live = element("div", { class: "unseen", role: "status", "aria-live": "polite" });
  const context: PageContext = {
    view,
    catalog: createCatalog(view),
    theme: createTheme(),
    go: (route) => void (location.hash = writeRoute(route)),
    say: (text) => void (live.textContent = text),
  };
  const shell = createShell(context, live);
  const kept = new Map<string, Page>();
  const show = (): void => {
    const route = readRoute(location.hash);
    const page = kept.get(route.page) ?? createPage(context, route);
    // Graphs are kept as they were left.
    if (route.page === "map" || route.page === "runs") kept.set(route.page, page);
    shell.show(page, route.page);
    page.enter?.("at" in route ? route.at : undefined);
  };
  addEventListener("hashchange", show);
  show();
}

function createPage(context: PageContext, route: Route): Page {
  const { catalog } = context;
  if (route.page === "list") return createListPage(context);
  if (!("id" in route)) return createGraph(context, route.page);
  const thing = route.page === "tool" ? catalog.find(route.id) : catalog.findCapability(route.id);
  const { capability, tool } = thing ?? {};
  if (thing !== undefined && capability !== undefined) return createCapabilityPage(context, { ...thing, capability });
  if (thing !== undefined && tool !== undefined) return createToolPage(context, { ...thing, tool });
  return {
    title: "Not here",
    element: element(
      "article",
      { class: "page" },
      element("h1", { class: "words" }, "Not here"),
      element("p", { class: "lead" }, "This memory has nothing of that name, or had it once."),
    ),
  };
}

function createGraph(context: PageContext, page: "map" | "runs"): Page {
  const { definition, invocation } = context.view;
  if (page === "map")
    return createGraphPage(context, {
      page,
      title: "Map",
      picture: definition,
      empty: "This memory is empty: no tool, and nothing learned.",
    });
  return createGraphPage(context, { page, title: "Runs", picture: invocation, empty: "Nothing has run yet." });
}
