import { type Camera, radiusOf, scaleOf } from "./camera.js";
import { type Colours, colourOf } from "./colours.js";
import { fitCanvas } from "./fit-canvas.js";
import { showMoved, widen } from "./moved-picture.js";
import type { Painter } from "./painter.js";
import type { Scene, Shown } from "./scene.js";
import {
  LINK_SHAPES,
  type LinkShape,
  NODE_SHAPES,
  type NodeShape,
  RING_HOLE,
  traceHead,
  traceNode,
  traceTaper,
} from "./shapes.js";

/** Of one colour and shape: one path for each, since changing colours is what costs. */
interface Batch {
  colour: string;
  shape: NodeShape;
  nodes: number[];
}

/** Heads of more arrows than this could not be told apart anyway. */
const MOST_HEADS = 2500;
const MANY_LINKS = 3000;
/** With more nodes and links than this, painting takes longer than a frame has where a processor does it. */
const PAINTED_ANEW = 3000;

/** Paints on a canvas, without a graphics card too. */
export function createCanvasPainter(scene: Scene): Painter {
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d") as CanvasRenderingContext2D;
  let batches: Batch[] = [];
  let links = new Map<LinkShape, number[]>();
  let colours: Colours | undefined;
  let painted: Camera | undefined;
  /** The camera of the latest whole picture: while it stays, so does the picture. */
  let seen: Camera | undefined;
  const isLarge = scene.nodes.length + scene.links.length > PAINTED_ANEW;
  const [xs, ys] = [new Float64Array(scene.nodes.length), new Float64Array(scene.nodes.length)];

  return {
    name: "canvas",
    element: canvas,
    show(shown, given) {
      colours = given;
      batches = listBatches(scene, shown, given);
      links = groupLinks(scene, shown);
      painted = undefined;
    },
    paint(camera, isMoving) {
      if (colours === undefined || (camera === seen && painted !== undefined)) return;
      if (isMoving && isLarge && painted !== undefined && showMoved(canvas, painted, camera)) return;
      const wide = isLarge ? widen(camera) : camera;
      fitCanvas(canvas, context, wide);
      project(scene, wide, { xs, ys });
      paintLinks(context, scene, { camera: wide, colours, links, xs, ys });
      paintNodes(context, scene, { camera: wide, colours, batches, xs, ys });
      [painted, seen] = [wide, camera];
      if (isLarge) showMoved(canvas, wide, camera);
    },
    close: () => canvas.remove(),
  };
}

interface Screen {
  xs: Float64Array;
  ys: Float64Array;
}

function project({ nodes }: Scene, camera: Camera, { xs, ys }: Screen): void {
  const scale = scaleOf(camera);
  const [left, top] = [camera.width / 2 - camera.x * scale, camera.height / 2 - camera.y * scale];
  for (const [index, { x, y }] of nodes.entries()) {
    xs[index] = x * scale + left;
    ys[index] = y * scale + top;
  }
}

function paintLinks(
  context: CanvasRenderingContext2D,
  scene: Scene,
  {
    camera,
    colours,
    links,
    xs,
    ys,
  }: Screen & { camera: Camera; colours: Colours; links: ReadonlyMap<LinkShape, readonly number[]> },
): void {
  const seen = [...links].map(([shape, indexes]) => ({
    shape,
    indexes: indexes.filter((index) => isSeen(scene, index, { camera, xs, ys })),
  }));
  const count = seen.reduce((sum, { indexes }) => sum + indexes.length, 0);
  context.strokeStyle = context.fillStyle = colours.link;
  context.globalAlpha = count > MANY_LINKS ? 0.35 : 0.75;
  context.lineWidth = count > MANY_LINKS ? 0.7 : 1.1;
  const head = count > MOST_HEADS ? 0 : Math.min(9, Math.max(4, radiusOf(camera, 5)));
  for (const { shape, indexes } of seen) {
    const [lines, solids] = [new Path2D(), new Path2D()];
    for (const index of indexes) traceLink(scene, index, { shape, lines, solids, head, camera, xs, ys });
    context.stroke(lines);
    context.fill(solids);
  }
  context.globalAlpha = 1;
}

function traceLink(
  { links, nodes }: Scene,
  index: number,
  {
    shape,
    lines,
    solids,
    head,
    camera,
    xs,
    ys,
  }: Screen & { shape: LinkShape; lines: Path2D; solids: Path2D; head: number; camera: Camera },
): void {
  const { from = 0, to = 0 } = links[index] ?? {};
  const circle = (node: number): { x: number; y: number; radius: number } => ({
    x: xs[node] ?? 0,
    y: ys[node] ?? 0,
    radius: radiusOf(camera, nodes[node]?.size ?? 0) + 1,
  });
  const [start, end] = [circle(from), circle(to)];
  if (shape === "taper") return traceTaper(solids, [start, end], head === 0 ? 1.2 : 3);
  lines.moveTo(start.x, start.y);
  lines.lineTo(end.x, end.y);
  if (head === 0 || shape === "line") return;
  traceHead(solids, [start, end], head);
  if (shape === "double") traceHead(solids, [end, start], head);
}

/** Not if both ends are beyond the same side. */
function isSeen({ links }: Scene, index: number, { camera, xs, ys }: Screen & { camera: Camera }): boolean {
  const { from = 0, to = 0 } = links[index] ?? {};
  const [x1 = 0, x2 = 0, y1 = 0, y2 = 0] = [xs[from], xs[to], ys[from], ys[to]];
  if ((x1 < 0 && x2 < 0) || (y1 < 0 && y2 < 0)) return false;
  return !((x1 > camera.width && x2 > camera.width) || (y1 > camera.height && y2 > camera.height));
}

function paintNodes(
  context: CanvasRenderingContext2D,
  { nodes }: Scene,
  { camera, colours, batches, xs, ys }: Screen & { camera: Camera; colours: Colours; batches: readonly Batch[] },
): void {
  for (const { colour, shape, nodes: indexes } of batches) {
    const [outer, holes] = [new Path2D(), new Path2D()];
    for (const index of indexes) {
      const [x = 0, y = 0] = [xs[index], ys[index]];
      const radius = radiusOf(camera, nodes[index]?.size ?? 0);
      if (x < -radius || y < -radius || x > camera.width + radius || y > camera.height + radius) continue;
      traceNode(outer, shape, { x, y, radius });
      if (shape === "ring") traceNode(holes, shape, { x, y, radius: radius * RING_HOLE });
    }
    context.fillStyle = colour;
    context.fill(outer);
    context.fillStyle = colours.ground;
    context.fill(holes);
  }
}

function listBatches({ nodes }: Scene, shown: Shown, colours: Colours): Batch[] {
  const batches = new Map<string, Batch>();
  for (const [index, node] of nodes.entries()) {
    if (shown.nodes[index] !== true) continue;
    const [colour, shape] = [colourOf(colours, node), NODE_SHAPES[node.kind]];
    const batch = batches.get(colour + shape) ?? { colour, shape, nodes: [] };
    batch.nodes.push(index);
    batches.set(colour + shape, batch);
  }
  return [...batches.values()];
}

function groupLinks({ links }: Scene, shown: Shown): Map<LinkShape, number[]> {
  const groups = new Map<LinkShape, number[]>();
  for (const [index, { type }] of links.entries()) {
    if (shown.links[index] !== true) continue;
    const shape = LINK_SHAPES[type];
    const group = groups.get(shape) ?? [];
    group.push(index);
    groups.set(shape, group);
  }
  return groups;
}
