import { scaleOf, toScreen } from "./camera.js";
import type { Label } from "./labels.js";
import { isDimmed } from "./marks.js";
import type { Painting } from "./painting.js";
import { REGIONS_UNTIL_RATIO } from "./regions.js";

/** Where something is written: left end and foot of its line. */
export interface Written {
  x: number;
  y: number;
  width: number;
}

const FAMILY = "Inter, ui-sans-serif, system-ui, sans-serif";
export const LABEL_FONT: string = `500 12px ${FAMILY}`;
const CAPTION_FONT = `600 12px ${FAMILY}`;
const REGION_FONT = `650 14px ${FAMILY}`;
const LEAST_CAPTION = 90;
const REGION_HEIGHT = 18;
const DIMMED = 0.45;

/** What stands above the calls of a run. */
export function paintCaptions({ context, scene, camera, marks, colours }: Painting): Written[] {
  context.font = CAPTION_FONT;
  context.fillStyle = colours.muted;
  context.globalAlpha = isDimmed(marks) ? DIMMED : 1;
  const written = scene.captions.flatMap(({ text, x, y, width }): Written[] => {
    const room = width * scaleOf(camera);
    const at = toScreen(camera, { x, y });
    const isOutside = at.x > camera.width || at.x + room < 0 || at.y < 0 || at.y > camera.height + 20;
    if (room < LEAST_CAPTION || isOutside) return [];
    context.fillText(cut(context, text, room), at.x, at.y);
    return [{ ...at, width: room }];
  });
  context.globalAlpha = 1;
  return written;
}

function cut(context: CanvasRenderingContext2D, text: string, room: number): string {
  const most = Math.floor((room / Math.max(context.measureText(text).width, 1)) * text.length);
  return most >= text.length ? text : `${text.slice(0, Math.max(1, most - 1))}…`;
}

/** Names of communities, where there is too much to name nodes. */
export function paintRegions({ context, scene, camera, marks, colours }: Painting): Written[] {
  if (camera.ratio < REGIONS_UNTIL_RATIO || isDimmed(marks)) return [];
  context.font = REGION_FONT;
  const written: Written[] = [];
  for (const { text, x, y } of scene.regions) {
    const at = toScreen(camera, { x, y });
    const { width } = context.measureText(text);
    const place = { x: at.x - width / 2, y: at.y + 5, width };
    if (written.some((other) => isOver(place, other))) continue;
    written.push(place);
    write(context, text, { ...place, colour: colours.ink, ground: colours.ground });
  }
  return written;
}

function isOver(a: Written, b: Written): boolean {
  return Math.abs(a.y - b.y) < REGION_HEIGHT && a.x < b.x + b.width && b.x < a.x + a.width;
}

export function paintLabels({ context, colours, marks }: Painting, labels: readonly Label[]): void {
  context.font = LABEL_FONT;
  for (const { text, x, y, index } of labels) {
    const isStrong = index === marks.selected || index === marks.hovered || !isDimmed(marks);
    write(context, text, { x, y, colour: isStrong ? colours.ink : colours.muted, ground: colours.ground });
  }
}

/** With a seam, to be read over whatever is below. */
function write(
  context: CanvasRenderingContext2D,
  text: string,
  { x, y, colour, ground }: { x: number; y: number; colour: string; ground: string },
): void {
  context.lineJoin = "round";
  context.lineWidth = 4;
  context.strokeStyle = ground;
  context.strokeText(text, x, y);
  context.fillStyle = colour;
  context.fillText(text, x, y);
}
