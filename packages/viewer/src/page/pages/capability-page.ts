import type { CapabilityView, DependencyView, RelatedView, VersionView } from "../../memory-view.js";
import type { Thing } from "../catalog.js";
import type { Page, PageContext } from "../context.js";
import { element } from "../element.js";
import { formatCount, formatNumber, formatShare, formatWhen, formatTimes } from "../format.js";
import { showCode } from "../parts/code-block.js";
import { showDiff } from "../parts/diff-block.js";
import { showRuns } from "../parts/run-list.js";
import { showSchema } from "../parts/schema-table.js";
import { list, section } from "../parts/section.js";
import { showStatistics } from "../parts/statistics.js";
import { showStructure } from "../parts/structure-figure.js";
import { thingLink } from "../parts/thing-link.js";
import { LINK_NAMES } from "../words.js";
import { showHead } from "./page-head.js";
import { twoColumns } from "./two-columns.js";

/** Everything there is to say of one capability. */
export function createCapabilityPage(context: PageContext, thing: Thing & { capability: CapabilityView }): Page {
  const { capability } = thing;
  const code = showSource(capability);
  const main = [
    showHead(context, thing),
    showStatistics(capability.statistics, "used"),
    section(
      "What it does",
      showStructure(capability, (line) => showLine(code, line)),
    ),
    section("Code", code),
    section("Runs", capability.runs.length > 0 && showRuns(capability, context.catalog)),
    section("Versions", ...showVersions(capability)),
  ];
  const aside = [
    section("Parameters", showSchema(capability.parameters ?? {}), showExamples(capability)),
    section(
      "Uses",
      list(
        [...capability.tools, ...capability.calls.map((name) => `cap:${name}`)].map((name) => showUse(context, name)),
      ),
    ),
    section("Why it is suggested", ...showAsked(capability)),
    section(
      "Goes with",
      list(
        capability.related.map((each) => showRelated(context, each)),
        "rows reasons",
      ),
    ),
    section(
      "Stands to others",
      list(
        capability.dependencies.map((each) => showDependency(context, each)),
        "rows reasons",
      ),
    ),
    section("Known as", showRecord(capability)),
  ];
  return { title: thing.label, element: twoColumns("capability", main, aside) };
}

function showSource({ code, parameterisedCode, sourceType }: CapabilityView): HTMLElement {
  const block = element("div", { class: "sources" }, showCode(code));
  if (parameterisedCode === undefined) return block;
  const other = showCode(parameterisedCode);
  const lifted = element(
    "details",
    {},
    element("summary", {}, "With its literals as parameters, as it is run again"),
    other,
  );
  block.append(lifted);
  block.dataset["source"] = sourceType;
  return block;
}

function showLine(code: HTMLElement, line: number): void {
  for (const marked of code.querySelectorAll(".current")) marked.classList.remove("current");
  const found = code.querySelector(`[data-line="${line}"]`);
  found?.classList.add("current");
  found?.scrollIntoView({ block: "center", behavior: "smooth" });
}

function showVersions({ versions, record }: CapabilityView): HTMLElement[] {
  if (record === undefined) return [];
  if (versions.length === 0)
    return [
      element(
        "p",
        { class: "quiet" },
        `There is one, v${record.version}: its code has not changed since it was named.`,
      ),
    ];
  return versions.map((version, at) => showVersion(version, at === 0));
}

function showVersion(
  { version, versionTag, updatedBy, updatedAtMs, summary, diff }: VersionView,
  isLatest: boolean,
): HTMLElement {
  return element(
    "details",
    { class: "version", open: isLatest },
    element(
      "summary",
      {},
      element("strong", {}, versionTag === undefined ? `v${version}` : `v${version} (${versionTag})`),
      isLatest && element("span", { class: "badge" }, "latest"),
      element("span", { class: "run-intent" }, summary ?? ""),
      element("span", { class: "run-facts" }, `${updatedBy} · ${formatWhen(updatedAtMs)}`),
    ),
    showDiff(diff),
  );
}

function showUse({ catalog }: PageContext, name: string): HTMLElement {
  return thingLink(name.startsWith("cap:") ? catalog.findByName(name) : catalog.find(name), name);
}

/** Who asks for something near to one of these gets it. */
function showAsked({ intent, asked, statistics }: CapabilityView): HTMLElement[] {
  const { successes, failures } = statistics;
  const reliability = (successes + 1) / (successes + failures + 2);
  const served = asked.map(({ intent: said, uses }) =>
    element("span", {}, `“${said}”`, uses > 1 && element("small", {}, ` ×${formatNumber(uses)}`)),
  );
  return [
    element(
      "p",
      {},
      `It was learned for “${intent}”`,
      asked.length === 0 ? "." : ", and has served, values under their names:",
    ),
    ...[list(served, "rows quotes")].filter((each) => each !== undefined),
    element(
      "p",
      { class: "quiet" },
      `A request near to these finds it. How near counts times how reliable it is: ${formatShare(reliability)}, ${formatCount(successes, "success", "successes")} and ${formatCount(failures, "failure")} so far.`,
    ),
  ];
}

function showRelated({ catalog }: PageContext, { kind, id, reason, score }: RelatedView): HTMLElement {
  const thing = kind === "tool" ? catalog.find(id) : catalog.findCapability(id);
  return element(
    "div",
    {},
    thingLink(thing, id),
    element("span", { class: "score", title: "How likely it is to be of use here" }, formatShare(score)),
    element("p", { class: "quiet" }, reason),
  );
}

function showDependency({ catalog }: PageContext, dependency: DependencyView): HTMLElement {
  const { direction, id, type, source, observations, confidence } = dependency;
  const how = LINK_NAMES[type][direction === "from" ? "out" : "in"];
  const seen = observations > 0 ? `, seen ${formatTimes(observations)}` : "";
  return element(
    "div",
    {},
    element("span", { class: "relation" }, how),
    thingLink(catalog.findCapability(id), id),
    element("p", { class: "quiet" }, `${type}, ${source}${seen}, ${formatShare(confidence)} sure`),
  );
}

function showExamples({ examples }: CapabilityView): HTMLElement | undefined {
  if (examples.length === 0) return undefined;
  return element(
    "details",
    {},
    element("summary", {}, `Asked for with other values too: ${formatCount(examples.length, "example")}`),
    ...examples.map((text) => element("pre", { class: "code", tabindex: 0 }, text)),
  );
}

function showRecord({ record, createdBy, createdAtMs, visibility, permissionSet, id }: CapabilityView): HTMLElement {
  const rows: [string, string | undefined][] = [
    ["Full name", record?.fqdn],
    ["Old names", record === undefined || record.aliases.length === 0 ? undefined : record.aliases.join(", ")],
    ["Tags", record === undefined || record.tags.length === 0 ? undefined : record.tags.join(", ")],
    ["Learned", `${formatWhen(createdAtMs)}, by ${createdBy}`],
    ["Seen by", visibility],
    ["Needs", permissionSet === undefined ? undefined : `the permission set “${permissionSet}”`],
    ["Id", id],
  ];
  const there = rows.filter((row): row is [string, string] => row[1] !== undefined);
  return element(
    "dl",
    { class: "facts" },
    ...there.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]),
  );
}
