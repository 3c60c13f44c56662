import type { Camera } from "./camera.js";
import type { Colours } from "./colours.js";
import type { Marks } from "./marks.js";
import type { Scene, Shown } from "./scene.js";

/** Everything that painting over a graph needs to know, for one frame. */
export interface Painting {
  context: CanvasRenderingContext2D;
  scene: Scene;
  camera: Camera;
  marks: Marks;
  shown: Shown;
  colours: Colours;
  measure: (text: string) => number;
}
