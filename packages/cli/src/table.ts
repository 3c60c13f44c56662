import { plainLine } from "./plain-text.js";

export interface Column {
  title: string;
  align?: "right";
}

const GAP = "  ";
/** Below this a column says nothing any more. */
const LEAST_WIDTH = 12;

/** Columns as wide as they have to be; the last one is cut where the screen ends. */
export function formatTable(columns: readonly Column[], rows: readonly (readonly string[])[], width: number): string {
  const cells = [columns.map(({ title }) => title), ...rows.map((row) => row.map(plainLine))];
  const widths = columns.map((_, index) => Math.max(...cells.map((row) => countCells(row[index] ?? ""))));
  const taken = widths.slice(0, -1).reduce((sum, each) => sum + each + GAP.length, 0);
  const last = Math.max(width - taken, LEAST_WIDTH);
  return cells
    .map((row) =>
      row
        .map((cell, index) => {
          if (index === columns.length - 1) return cut(cell, last);
          const space = " ".repeat((widths[index] ?? 0) - countCells(cell));
          return columns[index]?.align === "right" ? space + cell : cell + space;
        })
        .join(GAP)
        .trimEnd(),
    )
    .join("\n");
}

function cut(text: string, width: number): string {
  const characters = [...text];
  return characters.length <= width ? text : `${characters.slice(0, width - 1).join("")}…`;
}

function countCells(text: string): number {
  return [...text].length;
}
