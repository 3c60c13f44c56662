const SHARPEST = 2;

/** Empties a canvas, and gives it the size of its window in the points of the screen. */
export function fitCanvas(
  canvas: HTMLCanvasElement,
  context: CanvasRenderingContext2D,
  { width, height }: { width: number; height: number },
): void {
  const sharpness = Math.min(SHARPEST, devicePixelRatio || 1);
  const [wide, high] = [Math.round(width * sharpness), Math.round(height * sharpness)];
  if (canvas.width !== wide || canvas.height !== high) {
    canvas.width = wide;
    canvas.height = high;
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
  }
  context.setTransform(sharpness, 0, 0, sharpness, 0, 0);
  context.clearRect(0, 0, width, height);
}
