import type { Box } from "./scene.js";

export interface Point {
  x: number;
  y: number;
}

/** Which part of a scene is seen, and how large. */
export interface Camera {
  /** Of the window it is seen in, in pixels. */
  width: number;
  height: number;
  /** The place of the scene in the middle of the window. */
  x: number;
  y: number;
  /** 1 where all of the scene fits; smaller when looked at from nearer. */
  ratio: number;
  /** Pixels for a unit of the scene at a ratio of 1. */
  unit: number;
  least: number;
  /** Nodes are smaller in a small window. */
  grain: number;
}

const [PADDING, LEAST_ROOM] = [56, 80];
const FARTHEST = 2.5;
const FULL_GRAIN = 640;
/** In a window that is wide enough, nothing begins behind the legend. */
const [ROOMY, LEGEND] = [760, 240];

/** All of it, in the middle. */
export function createCamera(
  box: Box,
  { width, height, count }: { width: number; height: number; count: number },
): Camera {
  const [wide, high] = [Math.max(box.right - box.left, 1), Math.max(box.bottom - box.top, 1)];
  const covered = width > ROOMY ? LEGEND : 0;
  // A handful of nodes need not fill a wall.
  const unit = Math.min(roomIn(width - covered) / wide, roomIn(height) / high, count < 3 ? 1 : Infinity);
  return {
    width,
    height,
    x: (box.left + box.right - covered / unit) / 2,
    y: (box.top + box.bottom) / 2,
    ratio: 1,
    unit,
    grain: Math.min(1, Math.sqrt(Math.min(width, height) / FULL_GRAIN)),
    least: Math.min(0.5, Math.max(0.02, 2 / Math.sqrt(count || 1))),
  };
}

function roomIn(pixels: number): number {
  return Math.max(pixels - 2 * PADDING, LEAST_ROOM);
}

export function scaleOf({ unit, ratio }: Camera): number {
  return unit / ratio;
}

/** Of a node, in pixels: it grows when looked at from nearer, but not as much as the distances. */
export function radiusOf({ ratio, grain }: Camera, size: number): number {
  return (size * grain) / Math.sqrt(ratio);
}

export function toScreen(camera: Camera, { x, y }: Point): Point {
  const scale = scaleOf(camera);
  return { x: (x - camera.x) * scale + camera.width / 2, y: (y - camera.y) * scale + camera.height / 2 };
}

export function toScene(camera: Camera, { x, y }: Point): Point {
  const scale = scaleOf(camera);
  return { x: (x - camera.width / 2) / scale + camera.x, y: (y - camera.height / 2) / scale + camera.y };
}

export function panBy(camera: Camera, { x, y }: Point): Camera {
  const scale = scaleOf(camera);
  return { ...camera, x: camera.x - x / scale, y: camera.y - y / scale };
}

/** What is at the point stays there. */
export function zoomAt(camera: Camera, factor: number, point: Point = middleOf(camera)): Camera {
  const ratio = Math.min(FARTHEST, Math.max(camera.least, camera.ratio * factor));
  const held = toScene(camera, point);
  const zoomed = { ...camera, ratio };
  const moved = toScene(zoomed, point);
  return { ...zoomed, x: camera.x + held.x - moved.x, y: camera.y + held.y - moved.y };
}

/** On the way from one to another; `part` from 0 to 1. */
export function between(from: Camera, to: Camera, part: number): Camera {
  const mix = (a: number, b: number): number => a + (b - a) * part;
  return {
    ...to,
    x: mix(from.x, to.x),
    y: mix(from.y, to.y),
    ratio: Math.exp(mix(Math.log(from.ratio), Math.log(to.ratio))),
  };
}

function middleOf({ width, height }: Camera): Point {
  return { x: width / 2, y: height / 2 };
}
