import type { LinkType, ThingKind } from "../../memory-view.js";

/** Kinds differ by shape and types by form, so that nobody has to tell colours apart. */
export type NodeShape = "circle" | "square" | "ring";
export type LinkShape = "line" | "arrow" | "double" | "taper";

export const NODE_SHAPES: Readonly<Record<ThingKind, NodeShape>> = {
  tool: "circle",
  capability: "square",
  operation: "ring",
};

export const LINK_SHAPES: Readonly<Record<LinkType, LinkShape>> = {
  dependency: "arrow",
  sequence: "arrow",
  contains: "line",
  alternative: "double",
  provides: "taper",
};

/** A square looks larger than a circle of the same width. */
const SQUARE = 0.88;
export const RING_HOLE = 0.55;

type Path = Pick<CanvasRenderingContext2D, "moveTo" | "lineTo" | "arc" | "rect">;
interface Point {
  x: number;
  y: number;
}

export interface Circle extends Point {
  radius: number;
}

export function traceNode(path: Path, shape: NodeShape, { x, y, radius }: Circle): void {
  if (shape === "square") {
    path.rect(x - radius * SQUARE, y - radius * SQUARE, 2 * radius * SQUARE, 2 * radius * SQUARE);
    return;
  }
  path.moveTo(x + radius, y);
  path.arc(x, y, radius, 0, 2 * Math.PI);
}

/** A point of an arrow that touches the circle, coming from `from`. */
export function traceHead(path: Path, [from, to]: readonly [Point, Circle], length: number): void {
  const distance = Math.hypot(to.x - from.x, to.y - from.y);
  if (distance < to.radius + length) return;
  const [ux, uy] = [(to.x - from.x) / distance, (to.y - from.y) / distance];
  const [tipX, tipY] = [to.x - ux * to.radius, to.y - uy * to.radius];
  const [footX, footY] = [tipX - ux * length, tipY - uy * length];
  const half = length * 0.42;
  path.moveTo(tipX, tipY);
  path.lineTo(footX - uy * half, footY + ux * half);
  path.lineTo(footX + uy * half, footY - ux * half);
  path.lineTo(tipX, tipY);
}

/** Wide where it comes from, and a point where it goes. */
export function traceTaper(path: Path, [from, to]: readonly [Point, Point], width: number): void {
  const distance = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const [ux, uy] = [((to.x - from.x) / distance) * (width / 2), ((to.y - from.y) / distance) * (width / 2)];
  path.moveTo(from.x - uy, from.y + ux);
  path.lineTo(to.x, to.y);
  path.lineTo(from.x + uy, from.y - ux);
  path.lineTo(from.x - uy, from.y + ux);
}
