import type { Caption, PictureLink } from "../memory-view.js";
import { arrangeCalls, type RowCall } from "./arrange-calls.js";
import type { Place } from "./place.js";

export interface Row {
  readonly caption: string;
  readonly calls: readonly RowCall[];
}

const [COLUMN, LANE] = [64, 40];
const CAPTION_HEIGHT = 30;
const [GAP_X, GAP_Y] = [70, 34];
/** A picture somewhat wider than high fits most screens. */
const WIDER = 1.7;
const LEAST_WIDTH = 230;

/** Each run in a block of its own, blocks beside each other until a line is full, as words in a paragraph. */
export function layoutInRows(
  rows: readonly Row[],
  links: readonly PictureLink[],
): { places: Place[]; captions: Caption[] } {
  const blocks = rows.map(({ caption, calls }) => ({ caption, ...arrangeCalls(calls, links) }));
  const sized = blocks.map((block) => ({
    ...block,
    width: Math.max(LEAST_WIDTH, block.columns * COLUMN),
    height: CAPTION_HEIGHT + block.lanes * LANE,
  }));
  const area = sized.reduce((sum, { width, height }) => sum + (width + GAP_X) * (height + GAP_Y), 0);
  const lineWidth = Math.max(Math.sqrt(area * WIDER), ...sized.map(({ width }) => width));
  const places: Place[] = [];
  const captions: Caption[] = [];
  let [x, y, lineHeight] = [0, 0, 0];
  for (const { caption, width, height, cells } of sized) {
    if (x > 0 && x + width > lineWidth) [x, y, lineHeight] = [0, y + lineHeight + GAP_Y, 0];
    captions.push({ text: caption, x, y: y + 8, width });
    for (const { index, column, lane } of cells)
      places[index] = { x: x + (column + 0.3) * COLUMN, y: y + CAPTION_HEIGHT + (lane + 0.4) * LANE };
    [x, lineHeight] = [x + width + GAP_X, Math.max(lineHeight, height)];
  }
  return { places, captions };
}
