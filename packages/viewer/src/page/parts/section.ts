import { type Child, element } from "../element.js";

/** A part of a page under a heading; none where there is nothing to say. */
export function section(title: string, ...children: readonly Child[]): HTMLElement | undefined {
  const there = children.filter((child) => child !== undefined && child !== false);
  if (there.length === 0) return undefined;
  return element("section", { class: "part" }, element("h2", {}, title), ...there);
}

/** A list, or nothing. */
export function list(items: readonly HTMLElement[], name = "rows"): HTMLElement | undefined {
  return items.length === 0
    ? undefined
    : element("ul", { class: name }, ...items.map((item) => element("li", {}, item)));
}
