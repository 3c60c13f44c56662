import { element, svg } from "../element.js";
import { formatTimes } from "../format.js";
import type { Drawing, FlowLine, LoopBox, StepBox, StepLine } from "./drawing.js";
import { titleOf } from "./size-step.js";

const CORNER = 8;

/** The drawing as SVG; what a box stands for in full is its tooltip. */
export function showDrawing(drawing: Drawing, label: string): SVGSVGElement {
  const { width, height, loops, boxes, lines, flows } = drawing;
  const picture = svg("svg", {
    viewBox: `0 0 ${width} ${height}`,
    width,
    height,
    role: "img",
    "aria-label": label,
    class: "structure",
  });
  picture.append(
    svg("defs", {}, marker("arrow", "arrow"), marker("arrow-flow", "arrow arrow-flow")),
    ...loops.map(showLoop),
    ...[...lines].sort((a, b) => a.count - b.count).map(showLine),
    svg("g", { class: "flows" }, ...flows.map(showFlow)),
    ...boxes.map(showBox),
    ...lines.flatMap(showLabel),
  );
  return picture;
}

/** The arrow keeps its size however thick the line is. */
function marker(id: string, name: string): SVGMarkerElement {
  const attributes = {
    id,
    viewBox: "0 0 10 10",
    refX: 8,
    refY: 5,
    markerWidth: 9,
    markerHeight: 9,
    orient: "auto",
    markerUnits: "userSpaceOnUse",
  };
  return svg("marker", attributes, svg("path", { d: "M0 0 L10 5 L0 10 z", class: name }));
}

function showLoop({ x, y, width, height }: LoopBox): SVGRectElement {
  return svg("rect", { class: "loop-box", x: x - width / 2, y: y - height / 2, width, height, rx: 14 });
}

function showLine({ points, width, count, isTaken }: StepLine): SVGPathElement {
  const path = svg("path", {
    d: curve(points),
    class: isTaken ? "way" : "way untaken",
    "stroke-width": width.toFixed(1),
    "marker-end": "url(#arrow)",
  });
  path.append(svg("title", {}, count === 0 ? "never taken so far" : `taken ${formatTimes(count)}`));
  return path;
}

function showLabel({ label, count, isTaken }: StepLine): SVGElement[] {
  if (label === undefined) return [];
  const text = count === 0 ? label.text : `${label.text} ×${count}`;
  return [
    svg(
      "text",
      { class: isTaken ? "outcome" : "outcome untaken", x: label.x, y: label.y + 4, "text-anchor": "middle" },
      text,
    ),
  ];
}

function showFlow({ start, end }: FlowLine): SVGPathElement {
  const reach = Math.max(start.x, end.x) + 24 + Math.abs(end.y - start.y) / 6;
  const d = `M${start.x} ${start.y} C${reach} ${start.y} ${reach} ${end.y} ${end.x + 3} ${end.y}`;
  return svg("path", { d, class: "flow", "marker-end": "url(#arrow-flow)" });
}

function showBox(box: StepBox): SVGGElement {
  const { id, type, x, y, detail, pure, count } = box;
  const title = type === "fork" || type === "join" || type === "end" ? "" : titleOf(box);
  const name = ["step", type, pure ? "pure" : "", count === 0 && type !== "end" ? "unvisited" : ""].join(" ");
  const group = svg(
    "g",
    { class: name, "data-step": id },
    svg("title", {}, [title || type, detail].filter(Boolean).join("\n")),
  );
  group.append(shape(box));
  if (title !== "") group.append(svg("text", { x, y: y + 4, "text-anchor": "middle" }, fit(title, box)));
  return group;
}

function shape({ type, x, y, width, height }: StepBox): SVGElement {
  const [left, top, right, bottom] = [x - width / 2, y - height / 2, x + width / 2, y + height / 2];
  if (type === "end") return svg("circle", { cx: x, cy: y, r: width / 2 });
  if (type !== "decision")
    return svg("rect", { x: left, y: top, width, height, rx: type === "fork" || type === "join" ? 3 : CORNER });
  const cut = 16;
  const corners = [
    [left + cut, top],
    [right - cut, top],
    [right, y],
    [right - cut, bottom],
    [left + cut, bottom],
    [left, y],
  ];
  return svg("polygon", { points: corners.map((corner) => corner.join(",")).join(" ") });
}

/** About as much as there is room for. */
function fit(title: string, { type, width }: StepBox): string {
  const most = Math.floor((width - (type === "decision" ? 48 : 22)) / 6.9);
  return title.length <= most ? title : `${title.slice(0, Math.max(1, most - 1))}…`;
}

function curve(points: readonly { x: number; y: number }[]): string {
  const [first, ...rest] = points;
  if (first === undefined) return "";
  const parts = [`M${first.x} ${first.y}`];
  for (const [at, point] of rest.entries()) {
    const next = rest[at + 1];
    if (next === undefined) parts.push(`L${point.x} ${point.y}`);
    else parts.push(`Q${point.x} ${point.y} ${(point.x + next.x) / 2} ${(point.y + next.y) / 2}`);
  }
  return parts.join(" ");
}

/** The same in words, for those who do not see it. */
export function listSteps({ boxes }: Drawing): HTMLElement {
  const steps = boxes.filter(({ type }) => type !== "end" && type !== "join");
  return element(
    "ol",
    {},
    ...steps.map((box) =>
      element(
        "li",
        {},
        `${box.type} ${titleOf(box)}${box.detail ? ` (${box.detail})` : ""}, ${formatTimes(box.count)}`,
      ),
    ),
  );
}
