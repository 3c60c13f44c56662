import type { CapabilityView, ToolView } from "../../memory-view.js";
import type { Page, PageContext } from "../context.js";
import { type Child, element } from "../element.js";
import { formatCount, formatDuration, formatNumber, formatShare, formatWhen } from "../format.js";
import { thingLink } from "../parts/thing-link.js";

interface Column<Row> {
  title: string;
  show: (row: Row) => Child;
  /** What rows are sorted by; the largest first where it is a number. */
  key: (row: Row) => string | number;
  isNumber?: boolean;
}

const MOST_ROWS = 500;

/** Everything in two tables, for those who would rather read. */
export function createListPage(context: PageContext): Page {
  const { view, catalog } = context;
  const capabilities: Column<CapabilityView>[] = [
    {
      title: "Name",
      key: ({ name }) => name.toLowerCase(),
      show: ({ id, name }) => thingLink(catalog.findCapability(id), name),
    },
    {
      title: "Learned for",
      key: ({ intent }) => intent.toLowerCase(),
      show: ({ intent, isNamed }) => (isNamed ? intent : ""),
    },
    {
      title: "Status",
      key: ({ status }) => status,
      show: ({ status }) => element("span", { class: `badge status-${status}` }, status),
    },
    ...statisticsColumns<CapabilityView>(({ statistics }) => statistics, "Used"),
  ];
  const tools: Column<ToolView>[] = [
    { title: "Name", key: ({ id }) => id.toLowerCase(), show: ({ id }) => thingLink(catalog.find(id), id) },
    {
      title: "Description",
      key: ({ description }) => description.toLowerCase(),
      show: ({ description }) => description,
    },
    ...statisticsColumns<ToolView>(({ uses }) => uses, "Called"),
  ];
  const body = element(
    "article",
    { class: "page list" },
    element(
      "header",
      { class: "page-head" },
      element("h1", { class: "words" }, "Everything"),
      element(
        "p",
        { class: "lead" },
        `${formatCount(view.capabilities.length, "capability", "capabilities")} and ${formatCount(view.tools.length, "tool")}.`,
      ),
    ),
    showTable("Capabilities", capabilities, view.capabilities),
    showTable("Tools", tools, view.tools),
  );
  return { title: "Everything", element: body };
}

function statisticsColumns<Row>(read: (row: Row) => ToolView["uses"], used: string): Column<Row>[] {
  const share = (row: Row): number => {
    const { successes = 0, failures = 0 } = read(row) ?? {};
    return successes + failures === 0 ? -1 : successes / (successes + failures);
  };
  return [
    {
      title: used,
      isNumber: true,
      key: (row) => read(row)?.uses ?? 0,
      show: (row) => formatNumber(read(row)?.uses ?? 0),
    },
    { title: "Worked", isNumber: true, key: share, show: (row) => (share(row) < 0 ? "–" : formatShare(share(row))) },
    {
      title: "Takes",
      isNumber: true,
      key: (row) => read(row)?.averageMs ?? -1,
      show: (row) => formatMs(read(row)?.averageMs),
    },
    {
      title: "Last used",
      isNumber: true,
      key: (row) => read(row)?.lastUsedAtMs ?? 0,
      show: (row) => formatAt(read(row)?.lastUsedAtMs),
    },
  ];
}

function formatMs(ms: number | undefined): string {
  return ms === undefined ? "–" : formatDuration(ms);
}

function formatAt(ms: number | undefined): string {
  return ms === undefined ? "–" : formatWhen(ms);
}

function showTable<Row>(title: string, columns: readonly Column<Row>[], rows: readonly Row[]): HTMLElement {
  const body = element("tbody");
  const heads = columns.map(({ title: name, isNumber }) =>
    element("th", { scope: "col", class: isNumber === true ? "number" : undefined }, name),
  );
  const more = element("p", { class: "quiet" });
  const sortBy = (index: number, isAscending: boolean): void => {
    const sorted = [...rows].sort(
      (a, b) => compare(columns[index]?.key(a) ?? 0, columns[index]?.key(b) ?? 0) * (isAscending ? 1 : -1),
    );
    body.replaceChildren(...sorted.slice(0, MOST_ROWS).map((row) => showRow(columns, row)));
    more.textContent =
      rows.length > MOST_ROWS
        ? `The first ${MOST_ROWS} of ${formatNumber(rows.length)}; sort or search for others.`
        : "";
    for (const [at, head] of heads.entries())
      head.setAttribute("aria-sort", at === index ? (isAscending ? "ascending" : "descending") : "none");
  };
  for (const [index, head] of heads.entries()) {
    const sort = (): void =>
      sortBy(
        index,
        head.getAttribute("aria-sort") === "none"
          ? columns[index]?.isNumber !== true
          : head.getAttribute("aria-sort") === "descending",
      );
    head.replaceChildren(element("button", { type: "button", click: sort }, columns[index]?.title ?? ""));
  }
  sortBy(
    columns.findIndex(({ isNumber }) => isNumber),
    false,
  );
  const table = element("table", {}, element("thead", {}, element("tr", {}, ...heads)), body);
  return element(
    "section",
    { class: "part" },
    element("h2", {}, title),
    element("div", { class: "scrolls" }, table),
    more,
  );
}

function showRow<Row>(columns: readonly Column<Row>[], row: Row): HTMLElement {
  return element(
    "tr",
    {},
    ...columns.map(({ show, isNumber }) =>
      element("td", { class: isNumber === true ? "number" : undefined }, show(row)),
    ),
  );
}

function compare(a: string | number, b: string | number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
