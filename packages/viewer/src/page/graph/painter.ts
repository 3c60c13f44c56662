import type { Camera } from "./camera.js";
import type { Colours } from "./colours.js";
import type { Shown } from "./scene.js";

/** Paints the nodes and links of a scene. What is marked or written is painted over it, whoever paints. */
export interface Painter {
  readonly name: "canvas" | "webgl";
  readonly element: HTMLElement;
  /** What is painted from now on, and in which colours. */
  show(shown: Shown, colours: Colours): void;
  /** While the camera moves, what was painted may be moved instead of painted anew. */
  paint(camera: Camera, isMoving: boolean): void;
  close(): void;
}
