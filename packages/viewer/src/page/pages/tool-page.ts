import type { LinkType, ToolView } from "../../memory-view.js";
import type { Thing } from "../catalog.js";
import type { Page, PageContext } from "../context.js";
import { element } from "../element.js";
import { formatTimes } from "../format.js";
import { showSchema } from "../parts/schema-table.js";
import { list, section } from "../parts/section.js";
import { showStatistics } from "../parts/statistics.js";
import { thingLink } from "../parts/thing-link.js";
import { LINK_NAMES } from "../words.js";
import { showHead } from "./page-head.js";
import { twoColumns } from "./two-columns.js";

const MOST_LINKS = 40;

/** A tool: what it takes and gives, who uses it, and what it goes with. */
export function createToolPage(context: PageContext, thing: Thing & { tool: ToolView }): Page {
  const { inputSchema, outputSchema, examples, uses, usedBy } = thing.tool;
  const main = [
    showHead(context, thing),
    showStatistics(uses, "called"),
    section("Takes", showSchema(inputSchema ?? {})),
    section("Gives", outputSchema !== undefined && showSchema(outputSchema)),
    section(
      "Examples",
      examples !== undefined && element("pre", { class: "code", tabindex: 0 }, JSON.stringify(examples, undefined, 2)),
    ),
  ];
  const aside = [
    section("Used by", list(usedBy.map((id) => thingLink(context.catalog.findCapability(id), id)))),
    ...listLinks(context, thing.key),
  ];
  return { title: thing.label, element: twoColumns("tool", main, aside) };
}

/** By what each link means; capabilities that use it stand above. */
function listLinks({ view, catalog }: PageContext, key: string): (HTMLElement | undefined)[] {
  const { nodes, links } = view.definition;
  const index = nodes.findIndex(({ thing }) => thing === key);
  const types: readonly LinkType[] = ["dependency", "provides"];
  return types.flatMap((type) =>
    (["out", "in"] as const).map((way) => {
      const found = links
        .filter((link) => link.type === type && (way === "out" ? link.from : link.to) === index)
        .slice(0, MOST_LINKS);
      const items = found.map(({ from, to, observations = 0 }) => {
        const other = nodes[way === "out" ? to : from]?.thing ?? "";
        return element(
          "div",
          {},
          thingLink(catalog.find(other), other),
          type === "dependency" && observations > 0 && element("span", { class: "score" }, formatTimes(observations)),
        );
      });
      return section(LINK_NAMES[type][way], list(items));
    }),
  );
}
