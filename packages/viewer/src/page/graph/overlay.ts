import type { Camera } from "./camera.js";
import type { Colours } from "./colours.js";
import { fitCanvas } from "./fit-canvas.js";
import { placeLabels } from "./labels.js";
import { isDimmed, type Marks } from "./marks.js";
import { listStrong, paintFailures, paintStrongLinks, paintStrongNodes } from "./paint-marks.js";
import { LABEL_FONT, paintCaptions, paintLabels, paintRegions } from "./paint-words.js";
import type { Scene, Shown } from "./scene.js";

export interface Overlay {
  readonly element: HTMLCanvasElement;
  paint(camera: Camera, marks: Marks, given: { shown: Shown; colours: Colours }): void;
}

/** What is written and marked over a graph, whoever painted it: names, what is selected and found, calls that failed. */
export function createOverlay(scene: Scene): Overlay {
  const element = document.createElement("canvas");
  const context = element.getContext("2d") as CanvasRenderingContext2D;
  const measure = createMeasure(context);
  return {
    element,
    paint(camera, marks, { shown, colours }) {
      fitCanvas(element, context, camera);
      const painting = { context, scene, camera, marks, shown, colours, measure };
      const first = listStrong(painting);
      const captions = paintCaptions(painting);
      paintStrongLinks(painting);
      paintStrongNodes(painting, first);
      paintFailures(painting);
      const regions = paintRegions(painting);
      const only = isDimmed(marks) || regions.length > 0;
      paintLabels(
        painting,
        placeLabels(scene, camera, { shown, first, only, blocked: [...captions, ...regions], measure }),
      );
    },
  };
}

/** Texts come again with each frame, and measuring them is slow. */
function createMeasure(context: CanvasRenderingContext2D): (text: string) => number {
  const widths = new Map<string, number>();
  return (text) => {
    const known = widths.get(text);
    if (known !== undefined) return known;
    context.font = LABEL_FONT;
    const { width } = context.measureText(text);
    widths.set(text, width);
    return width;
  };
}
