import { element } from "../element.js";

/** A unified diff. Signs stay where they are, for those who cannot tell its colours apart. */
export function showDiff(diff: string): HTMLElement {
  const lines = diff
    .replace(/\n$/, "")
    .split("\n")
    .filter((line) => !/^(={3,}|---|\+\+\+)/.test(line));
  return element(
    "pre",
    { class: "code diff", tabindex: 0 },
    element("code", {}, ...lines.map((line) => element("span", { class: `line ${kindOf(line)}` }, `${line}\n`))),
  );
}

function kindOf(line: string): string {
  if (line.startsWith("+")) return "added";
  if (line.startsWith("-")) return "removed";
  return line.startsWith("@@") ? "place" : "";
}
