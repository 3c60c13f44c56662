import type { CapabilityView, RunView, TaskView } from "../../memory-view.js";
import type { Catalog } from "../catalog.js";
import { element } from "../element.js";
import { formatCount, formatDuration, formatShare, formatWhen } from "../format.js";
import { titleOf } from "../structure/size-step.js";
import { MODE_NAMES } from "../words.js";
import { arrangeTimeline, type Bar } from "./timeline.js";

const MOST_DECISIONS = 8;

/** The latest runs, each a line that opens; the first is open. */
export function showRuns({ runs, structure }: CapabilityView, catalog: Catalog): HTMLElement {
  const titles = new Map(structure?.nodes.map((step) => [step.id, titleOf(step)]));
  return element(
    "div",
    { class: "runs" },
    ...runs.map((run, at) => showRun(run, { catalog, titles, isOpen: at === 0 })),
  );
}

interface Surroundings {
  catalog: Catalog;
  titles: ReadonlyMap<string, string>;
  isOpen: boolean;
}

function showRun(run: RunView, { catalog, titles, isOpen }: Surroundings): HTMLElement {
  const { intent, given, success, startedAtMs, durationMs, error, args, result, tasks, moreTasks } = run;
  const summary = element(
    "summary",
    {},
    element("span", { class: success ? "outcome-mark good" : "outcome-mark bad" }, success ? "✓ worked" : "✕ failed"),
    element(
      "span",
      { class: "run-intent" },
      intent ?? `called by its name${given === undefined ? "" : ` with ${given}`}`,
    ),
    element("span", { class: "run-facts" }, `${formatDuration(durationMs)} · ${formatWhen(startedAtMs)}`),
  );
  return element(
    "details",
    { class: "run", open: isOpen },
    summary,
    element("p", { class: "quiet" }, describeRun(run, titles)),
    error !== undefined && element("p", { class: "failure" }, error),
    tasks.length > 0 && showTimeline(tasks, catalog),
    moreTasks > 0 && element("p", { class: "quiet" }, `And ${formatCount(moreTasks, "more call")}.`),
    showValues([
      ["Given", args],
      ["Result", result],
    ]),
  );
}

/** How it came to run, and what was said of it. */
function describeRun({ mode, match, feedback, decisions }: RunView, titles: ReadonlyMap<string, string>): string {
  const how = mode === undefined ? undefined : (MODE_NAMES[mode] ?? mode);
  const sure = match === undefined ? undefined : `${formatShare(match)} sure that this was meant`;
  const went = decisions
    .slice(0, MOST_DECISIONS)
    .map(({ nodeId, outcome }) => `${titles.get(nodeId) ?? nodeId} → ${outcome}`)
    .join(", ");
  const said =
    feedback === undefined
      ? undefined
      : `${feedback.by} said it was ${feedback.ok ? "right" : "wrong"}${feedback.correction === undefined ? "" : `: ${feedback.correction}`}`;
  const parts = [how, sure, went, said].filter((part) => part !== undefined && part !== "");
  return parts.length === 0 ? "" : `${parts.join("; ")}.`.replace(/^./, (first) => first.toUpperCase());
}

function showTimeline(tasks: readonly TaskView[], catalog: Catalog): HTMLElement {
  const { bars, totalMs } = arrangeTimeline(tasks);
  const shown = element("div", { class: "task-values", "aria-live": "polite" });
  const rows = bars.map((bar) => showBar(bar, { catalog, shown }));
  const scale = element(
    "div",
    { class: "time-scale", "aria-hidden": "true" },
    element("span", {}, "0"),
    element("span", {}, formatDuration(totalMs / 2)),
    element("span", {}, formatDuration(totalMs)),
  );
  return element("div", { class: "timeline" }, element("ol", {}, ...rows), scale, shown);
}

function showBar(
  { task, depth, start, length }: Bar,
  { catalog, shown }: { catalog: Catalog; shown: HTMLElement },
): HTMLElement {
  const thing = task.tool.startsWith("cap:") ? catalog.findByName(task.tool) : catalog.find(task.tool);
  const bar = element("span", { class: task.success ? "bar" : "bar bad" });
  bar.style.left = `${start * 100}%`;
  bar.style.width = `${length * 100}%`;
  const name = element("span", { class: "task-name" }, `${task.success ? "" : "✕ "}${thing?.label ?? task.tool}`);
  name.style.paddingInlineStart = `${Math.min(depth, 6) * 14}px`;
  const row = element(
    "button",
    {
      type: "button",
      class: "task",
      title: "What went in and came out",
      click: () => shown.replaceChildren(showTask(task)),
    },
    name,
    element("span", { class: "track" }, bar),
    element("span", { class: "task-time" }, formatDuration(task.durationMs)),
  );
  return element("li", {}, row);
}

function showTask({ id, tool, error, args, result }: TaskView): HTMLElement {
  const values = showValues([
    ["Given", args],
    ["Result", result],
  ]);
  return element(
    "div",
    { class: "task-detail" },
    element("h4", {}, `${tool} at ${id}`),
    error !== undefined && element("p", { class: "failure" }, error),
    values,
  );
}

function showValues(values: readonly [string, string | undefined][]): HTMLElement {
  const there = values.filter((value): value is [string, string] => value[1] !== undefined);
  return element(
    "div",
    { class: "values" },
    ...there.map(([name, text]) =>
      element("figure", {}, element("figcaption", {}, name), element("pre", { class: "code", tabindex: 0 }, text)),
    ),
  );
}
