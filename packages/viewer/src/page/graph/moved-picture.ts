import { type Camera, scaleOf, toScreen } from "./camera.js";

/** Painted on each side beyond the window, as a share of it: so far it can be pulled before it has to be painted anew. */
const MARGIN = 0.3;
/** Larger or smaller than this, a picture no longer looks like what it is of. */
const [SMALLEST, LARGEST] = [0.62, 1.9];

/** The same camera with a larger window. */
export function widen(camera: Camera): Camera {
  return {
    ...camera,
    width: Math.round(camera.width * (1 + 2 * MARGIN)),
    height: Math.round(camera.height * (1 + 2 * MARGIN)),
  };
}

/** Moves a picture that was painted with one camera to where another sees it. False if that would leave something empty. */
export function showMoved(canvas: HTMLCanvasElement, painted: Camera, camera: Camera): boolean {
  const scale = scaleOf(camera) / scaleOf(painted);
  const middle = toScreen(camera, painted);
  const [left, top] = [middle.x - (painted.width * scale) / 2, middle.y - (painted.height * scale) / 2];
  const isCovered =
    left <= 0 &&
    top <= 0 &&
    left + painted.width * scale >= camera.width &&
    top + painted.height * scale >= camera.height;
  if (scale < SMALLEST || scale > LARGEST || !isCovered) return false;
  canvas.style.transformOrigin = "0 0";
  canvas.style.transform = `translate(${left}px, ${top}px) scale(${scale})`;
  return true;
}
