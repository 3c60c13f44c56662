import type { Point } from "./camera.js";
import type { Direction } from "./step-to.js";

export interface KeyHandlers {
  step(direction: Direction): void;
  pan(way: Point): void;
  open(): void;
  clear(): void;
  zoom(factor: number): void;
  fit(): void;
}

const DIRECTIONS: Readonly<Record<string, { direction: Direction; way: Point }>> = {
  ArrowLeft: { direction: "left", way: { x: -1, y: 0 } },
  ArrowRight: { direction: "right", way: { x: 1, y: 0 } },
  ArrowUp: { direction: "up", way: { x: 0, y: -1 } },
  ArrowDown: { direction: "down", way: { x: 0, y: 1 } },
};

const OTHERS: Readonly<Record<string, (handlers: KeyHandlers) => void>> = {
  Enter: (handlers) => handlers.open(),
  Escape: (handlers) => handlers.clear(),
  "+": (handlers) => handlers.zoom(0.7),
  "=": (handlers) => handlers.zoom(0.7),
  "-": (handlers) => handlers.zoom(1 / 0.7),
  "0": (handlers) => handlers.fit(),
};

/** Arrows go from node to node, with the shift key they pull. */
export function listenToKeys(target: HTMLElement, handlers: KeyHandlers): void {
  target.addEventListener("keydown", (event) => {
    if (event.target !== target || event.ctrlKey || event.metaKey || event.altKey) return;
    const arrow = DIRECTIONS[event.key];
    const other = OTHERS[event.key];
    if (arrow === undefined && other === undefined) return;
    event.preventDefault();
    if (arrow === undefined) other?.(handlers);
    else if (event.shiftKey) handlers.pan(arrow.way);
    else handlers.step(arrow.direction);
  });
}
