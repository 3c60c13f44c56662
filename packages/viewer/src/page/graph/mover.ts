import { between, type Camera } from "./camera.js";

export interface Mover {
  /** Undefined until the window has a size. */
  camera(): Camera | undefined;
  isMoving(): boolean;
  /** At once. */
  move(camera: Camera): void;
  /** In a moment, so that eyes can follow; at once for those who want nothing to move. */
  fly(camera: Camera): void;
}

const FLIGHT_MS = 260;
/** So long after it has moved, a graph is at rest. */
const REST_MS = 120;

/** Where the camera is, and how it gets elsewhere. Calls back for everything that has to be painted. */
export function createMover(onMove: () => void): Mover {
  let camera: Camera | undefined;
  let flight = 0;
  let rest: ReturnType<typeof setTimeout> | undefined;

  function place(next: Camera): void {
    camera = next;
    clearTimeout(rest);
    rest = setTimeout(() => {
      rest = undefined;
      onMove();
    }, REST_MS);
    onMove();
  }
  function move(next: Camera): void {
    cancelAnimationFrame(flight);
    place(next);
  }
  return {
    camera: () => camera,
    isMoving: () => rest !== undefined,
    move,
    fly(next) {
      const from = camera;
      if (from === undefined || matchMedia("(prefers-reduced-motion: reduce)").matches) return move(next);
      const startedAt = performance.now();
      const step = (now: number): void => {
        const part = Math.min(1, Math.max(0, (now - startedAt) / FLIGHT_MS));
        place(between(from, next, 1 - (1 - part) ** 3));
        if (part < 1) flight = requestAnimationFrame(step);
      };
      cancelAnimationFrame(flight);
      flight = requestAnimationFrame(step);
    },
  };
}
