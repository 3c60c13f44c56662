import type { StatisticsView } from "../../memory-view.js";
import { element } from "../element.js";
import { formatDay, formatDuration, formatNumber, formatShare } from "../format.js";

/** The figures of a tool or capability, in large type. */
export function showStatistics(statistics: StatisticsView | undefined, used: string): HTMLElement {
  const { uses = 0, successes = 0, failures = 0, averageMs, lastUsedAtMs } = statistics ?? {};
  const counted = successes + failures;
  const figures: [string, string, string | undefined][] = [
    [used, formatNumber(uses), undefined],
    [
      "worked",
      counted === 0 ? "–" : formatShare(successes / counted),
      counted === 0 ? undefined : `${successes} of ${counted}`,
    ],
    [
      "takes",
      averageMs === undefined ? "–" : formatDuration(averageMs),
      averageMs === undefined ? undefined : "on average",
    ],
    ["last used", lastUsedAtMs === undefined ? "never" : formatDay(lastUsedAtMs), undefined],
  ];
  return element(
    "dl",
    { class: "figures" },
    ...figures.map(([name, value, more]) =>
      element(
        "div",
        {},
        element("dt", {}, name),
        element("dd", {}, value, more !== undefined && element("small", {}, more)),
      ),
    ),
  );
}
