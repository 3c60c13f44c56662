import { type Camera, panBy, type Point, zoomAt } from "./camera.js";

export interface GestureHandlers {
  move(change: (camera: Camera) => Camera): void;
  /** Where the pointer is, or undefined when it has left. */
  hover(point: Point | undefined): void;
  choose(point: Point): void;
  open(point: Point): void;
}

/** Beyond this, a pointer that goes down and up has not clicked but pulled. */
const CLICK = 5;
const [WHEEL, FASTEST] = [0.0016, 300];
const LINE = 20;

/** Pulling, turning the wheel, pinching, clicking: with mouse, finger or pen. */
export function listenToGestures(target: HTMLElement, handlers: GestureHandlers): void {
  const at = (event: MouseEvent): Point => {
    const { left, top } = target.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  };
  listenToPointers(target, handlers, at);
  target.addEventListener("pointerleave", () => handlers.hover(undefined));
  target.addEventListener("dblclick", (event) => handlers.open(at(event)));
  const turn = (event: WheelEvent): void => {
    event.preventDefault();
    const pixels = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY * LINE : event.deltaY;
    const factor = Math.exp(Math.max(-FASTEST, Math.min(FASTEST, pixels)) * WHEEL);
    handlers.move((camera) => zoomAt(camera, factor, at(event)));
  };
  target.addEventListener("wheel", turn, { passive: false });
}

function listenToPointers(target: HTMLElement, handlers: GestureHandlers, at: (event: MouseEvent) => Point): void {
  const down = new Map<number, Point>();
  let pulled = 0;
  target.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    if (down.size === 0) pulled = 0;
    down.set(event.pointerId, at(event));
    target.setPointerCapture(event.pointerId);
  });
  target.addEventListener("pointermove", (event) => {
    const [before, now] = [down.get(event.pointerId), at(event)];
    if (before === undefined) return handlers.hover(now);
    pulled += Math.hypot(now.x - before.x, now.y - before.y);
    const other = [...down].find(([id]) => id !== event.pointerId)?.[1];
    const way = { x: now.x - before.x, y: now.y - before.y };
    handlers.move((camera) => (other === undefined ? panBy(camera, way) : pinch(camera, { before, now, other })));
    down.set(event.pointerId, now);
  });
  const release = (event: PointerEvent): void => {
    if (!down.delete(event.pointerId) || down.size > 0 || event.type === "pointercancel") return;
    if (pulled <= CLICK) handlers.choose(at(event));
  };
  target.addEventListener("pointerup", release);
  target.addEventListener("pointercancel", release);
}

const CLOSEST = 10;

/** Two fingers: their distance zooms, their middle pulls. */
function pinch(camera: Camera, { before, now, other }: { before: Point; now: Point; other: Point }): Camera {
  const spread = (point: Point): number => Math.max(CLOSEST, Math.hypot(point.x - other.x, point.y - other.y));
  const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
  const moved = panBy(camera, { x: (now.x - before.x) / 2, y: (now.y - before.y) / 2 });
  return zoomAt(moved, spread(before) / spread(now), middle);
}
