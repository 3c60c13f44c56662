import type { CapabilityView } from "../../memory-view.js";
import type { StructureView } from "../../structure.js";
import { element } from "../element.js";
import { formatCount } from "../format.js";
import { drawStructure } from "../structure/draw-structure.js";
import type { Drawing } from "../structure/drawing.js";
import type { Measure } from "../structure/measure.js";
import { listSteps, showDrawing } from "../structure/structure-svg.js";

/** Everything the code may do, drawn; a step leads to its line. */
export function showStructure(
  { structure, learning }: CapabilityView,
  onLine: (line: number) => void,
): HTMLElement | undefined {
  if (structure === undefined) return undefined;
  const drawing = tryDrawing(structure, learning);
  if (drawing === undefined)
    return element("p", { class: "quiet" }, "What is stored as its structure cannot be drawn.");
  const picture = showDrawing(drawing, describe(structure));
  picture.addEventListener("click", (event) => {
    const id = (event.target as Element).closest("[data-step]")?.getAttribute("data-step");
    const line = drawing.boxes.find((box) => box.id === id)?.line;
    if (line !== undefined) onLine(line);
  });
  const runs = learning.runs;
  return element(
    "figure",
    { class: "structure-figure" },
    element("div", { class: "scrolls structure-frame" }, picture),
    element(
      "figcaption",
      {},
      element(
        "p",
        {},
        runs === 0
          ? "It has not run yet: every way is drawn alike."
          : `A way is as thick as it was taken in ${formatCount(runs, "run")}. What is dashed was never taken.`,
      ),
      drawing.flows.length > 0 && showFlowSwitch(picture),
      element("details", {}, element("summary", {}, "In words"), listSteps(drawing)),
    ),
  );
}

function showFlowSwitch(picture: SVGSVGElement): HTMLElement {
  const box = element("input", { type: "checkbox" });
  box.addEventListener("change", () => picture.classList.toggle("with-flows", box.checked));
  return element("label", { class: "switch" }, box, "Show where results go");
}

/** It was stored by a program, or came in a bundle: what cannot be laid out must not take the page with it. */
function tryDrawing(structure: StructureView, learning: CapabilityView["learning"]): Drawing | undefined {
  try {
    return drawStructure(structure, learning, createMeasure());
  } catch {
    return undefined;
  }
}

function createMeasure(): Measure {
  const context = document.createElement("canvas").getContext("2d") as CanvasRenderingContext2D;
  context.font = "500 12.5px ui-monospace, monospace";
  return (text) => context.measureText(text).width;
}

function describe({ nodes }: StructureView): string {
  const count = (type: string): number => nodes.filter((node) => node.type === type).length;
  const steps = count("task") + count("capability");
  return `Structure: ${formatCount(steps, "call")}, ${formatCount(count("decision"), "decision")}, ${formatCount(count("loop"), "loop")}`;
}
