import { radiusOf, toScreen } from "./camera.js";
import { colourOf } from "./colours.js";
import type { Painting } from "./painting.js";
import { listNeighbours } from "./scene.js";
import {
  type Circle,
  LINK_SHAPES,
  type LinkShape,
  NODE_SHAPES,
  type NodeShape,
  RING_HOLE,
  traceHead,
  traceNode,
  traceTaper,
} from "./shapes.js";

/** Nodes that are painted anew over the rest: the one looked at, its neighbours, what was found. */
export function listStrong({ scene, marks, shown }: Painting): number[] {
  const { selected, hovered, matches } = marks;
  const chosen = selected === undefined ? [] : [selected];
  const near = chosen.flatMap((index) => listNeighbours(scene, shown, index));
  const found = selected === undefined ? [...(matches ?? [])].filter((index) => shown.nodes[index]) : [];
  return [...new Set([...chosen, ...(hovered === undefined ? [] : [hovered]), ...near, ...found])];
}

/** The links of the node that is looked at. */
export function paintStrongLinks({ context, scene, camera, shown, colours, marks }: Painting): void {
  const ofSelected = marks.selected === undefined ? [] : (scene.linksOf[marks.selected] ?? []);
  const circle = (index: number): Circle => {
    const node = scene.nodes[index];
    return { ...toScreen(camera, node ?? { x: 0, y: 0 }), radius: radiusOf(camera, node?.size ?? 0) + 2 };
  };
  const paths = { lines: new Path2D(), solids: new Path2D() };
  for (const link of ofSelected.filter((each) => shown.links[each])) {
    const { from = 0, to = 0, type = "contains" } = scene.links[link] ?? {};
    traceStrong(paths, LINK_SHAPES[type], [circle(from), circle(to)]);
  }
  context.strokeStyle = context.fillStyle = colours.strong;
  context.lineWidth = 1.8;
  context.stroke(paths.lines);
  context.fill(paths.solids);
}

function traceStrong(
  { lines, solids }: { lines: Path2D; solids: Path2D },
  shape: LinkShape,
  [start, end]: [Circle, Circle],
): void {
  if (shape === "taper") return traceTaper(solids, [start, end], 5);
  lines.moveTo(start.x, start.y);
  lines.lineTo(end.x, end.y);
  if (shape !== "line") traceHead(solids, [start, end], 10);
  if (shape === "double") traceHead(solids, [end, start], 10);
}

const LEAST_RADIUS = 3;

export function paintStrongNodes(
  { context, scene, camera, marks, colours }: Painting,
  strong: readonly number[],
): void {
  for (const index of strong) {
    const node = scene.nodes[index];
    if (node === undefined) continue;
    const { x, y } = toScreen(camera, node);
    const radius = Math.max(LEAST_RADIUS, radiusOf(camera, node.size));
    const shape = NODE_SHAPES[node.kind];
    context.fillStyle = colourOf(colours, node);
    context.fill(pathOf(shape, { x, y, radius }), "nonzero");
    context.fillStyle = colours.ground;
    if (shape === "ring") context.fill(pathOf(shape, { x, y, radius: radius * RING_HOLE }), "nonzero");
    if (index !== marks.selected && index !== marks.hovered) continue;
    context.strokeStyle = index === marks.selected ? colours.ink : colours.muted;
    context.lineWidth = 2;
    context.stroke(pathOf(shape, { x, y, radius: radius + 4 }));
  }
}

function pathOf(shape: NodeShape, circle: Circle): Path2D {
  const path = new Path2D();
  traceNode(path, shape, circle);
  return path;
}

const LEAST_CROSS = 1.5;

/** A cross, since red alone says nothing to some. */
export function paintFailures({ context, scene, camera, shown, colours }: Painting): void {
  context.strokeStyle = colours.ground;
  context.lineWidth = 1.6;
  context.beginPath();
  for (const [index, node] of scene.nodes.entries()) {
    if (node.call?.success !== false || shown.nodes[index] !== true) continue;
    const { x, y } = toScreen(camera, node);
    const reach = radiusOf(camera, node.size) * 0.5;
    if (reach < LEAST_CROSS) continue;
    context.moveTo(x - reach, y - reach);
    context.lineTo(x + reach, y + reach);
    context.moveTo(x + reach, y - reach);
    context.lineTo(x - reach, y + reach);
  }
  context.stroke();
}
