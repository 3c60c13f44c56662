import { createCanvasPainter } from "./canvas-painter.js";
import type { Painter } from "./painter.js";
import type { Scene } from "./scene.js";
import { createWebglPainter } from "./webgl-painter.js";

const BY_PROCESSOR = /swiftshader|llvmpipe|softpipe|software|basic render/i;

/** WebGL that a processor has to compute is many times slower than a canvas. */
export function choosePainter(scene: Scene, renderer: "auto" | "webgl" | "canvas"): Painter {
  const card = renderer === "canvas" ? undefined : findCard();
  const isFast = card !== undefined && (renderer === "webgl" || !BY_PROCESSOR.test(card));
  return isFast ? createWebglPainter(scene) : createCanvasPainter(scene);
}

/** What draws WebGL here; empty where the browser does not say, undefined where there is none. */
function findCard(): string | undefined {
  const context = document.createElement("canvas").getContext("webgl2", { failIfMajorPerformanceCaveat: false });
  if (context === null) return undefined;
  const details = context.getExtension("WEBGL_debug_renderer_info");
  const name: unknown = context.getParameter(details?.UNMASKED_RENDERER_WEBGL ?? context.RENDERER);
  context.getExtension("WEBGL_lose_context")?.loseContext();
  return typeof name === "string" ? name : "";
}
