import { createNodeBorderProgram } from "@sigma/node-border";
import { NodeSquareProgram } from "@sigma/node-square";
import { MultiDirectedGraph } from "graphology";
import { Sigma } from "sigma";
import {
  EdgeArrowProgram,
  EdgeDoubleArrowProgram,
  EdgeLineProgram,
  EdgeTriangleProgram,
  NodeCircleProgram,
} from "sigma/rendering";
import type { Settings } from "sigma/settings";

import { type Camera, radiusOf } from "./camera.js";
import { type Colours, colourOf } from "./colours.js";
import type { Painter } from "./painter.js";
import type { Scene, Shown } from "./scene.js";
import { LINK_SHAPES, NODE_SHAPES, RING_HOLE } from "./shapes.js";

const Ring = createNodeBorderProgram({
  borders: [
    { size: { value: 1 - RING_HOLE }, color: { attribute: "color" } },
    { size: { fill: true }, color: { attribute: "ground" } },
  ],
});

/** Sigma paints here and does nothing else: the camera, the pointer and what is written are the same for all painters. */
const SETTINGS: Partial<Settings> = {
  nodeProgramClasses: { circle: NodeCircleProgram, square: NodeSquareProgram, ring: Ring },
  edgeProgramClasses: {
    line: EdgeLineProgram,
    arrow: EdgeArrowProgram,
    double: EdgeDoubleArrowProgram,
    taper: EdgeTriangleProgram,
  },
  renderLabels: false,
  allowInvalidContainer: true,
  stagePadding: 0,
  minEdgeThickness: 0.8,
};

const NOTHING_CHANGED = { skipIndexation: true, partialGraph: { nodes: [], edges: [] } };

/** Paints with WebGL, by sigma. */
export function createWebglPainter(scene: Scene): Painter {
  const element = document.createElement("div");
  const graph = new MultiDirectedGraph();
  for (const [index, { x, y, size, kind }] of scene.nodes.entries())
    graph.addNode(index, { x, y: -y, size, type: NODE_SHAPES[kind] });
  for (const [index, { from, to, type }] of scene.links.entries())
    graph.addDirectedEdgeWithKey(index, from, to, { size: type === "provides" ? 3.5 : 2, type: LINK_SHAPES[type] });
  let shrink = 1;
  const sigma = new Sigma(graph, element, { ...SETTINGS, zoomToSizeRatioFunction: () => shrink });
  const { left, right, top, bottom } = scene.box;
  const side = Math.max(right - left, bottom - top, 1);
  const [middleX, middleY] = [(left + right) / 2, (top + bottom) / 2];
  sigma.setCustomBBox({
    x: [middleX - side / 2, middleX + side / 2],
    y: [-middleY - side / 2, -middleY + side / 2],
  });
  sigma.refresh();
  let size = "";

  return {
    name: "webgl",
    element,
    show: (shown, colours) => colour({ graph, scene }, shown, colours),
    paint(camera) {
      element.style.width = `${camera.width}px`;
      element.style.height = `${camera.height}px`;
      if (size !== `${camera.width} ${camera.height}`) sigma.resize(true);
      size = `${camera.width} ${camera.height}`;
      shrink = 1 / radiusOf(camera, 1);
      sigma.getCamera().setState({ ...placeCamera(camera, { middleX, middleY, side }), angle: 0 });
      // At once, so that what is painted over it does not run ahead by a frame.
      sigma.refresh({ ...NOTHING_CHANGED, schedule: false });
    },
    close() {
      sigma.kill();
      element.remove();
    },
  };
}

/** Sigma measures in shares of its box, upwards, and in shares of the smaller side of the window. */
function placeCamera(
  { x, y, ratio, unit, width, height }: Camera,
  { middleX, middleY, side }: { middleX: number; middleY: number; side: number },
): { x: number; y: number; ratio: number } {
  return {
    x: 0.5 + (x - middleX) / side,
    y: 0.5 - (y - middleY) / side,
    ratio: (ratio * Math.min(width, height)) / (unit * side),
  };
}

function colour({ graph, scene }: { graph: MultiDirectedGraph; scene: Scene }, shown: Shown, colours: Colours): void {
  graph.updateEachNodeAttributes((key, attributes) => {
    const index = Number(key);
    const color = colourOf(colours, scene.nodes[index] ?? {});
    return { ...attributes, color, ground: colours.ground, hidden: shown.nodes[index] !== true };
  });
  graph.updateEachEdgeAttributes((key, attributes) => ({
    ...attributes,
    color: colours.link,
    hidden: shown.links[Number(key)] !== true,
  }));
}
