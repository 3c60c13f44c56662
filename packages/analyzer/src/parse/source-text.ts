import { AnalyzerError, type AnalyzerErrorCode } from "../error.js";

export interface Position {
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units. */
  readonly column: number;
}

interface Place {
  readonly offset: number;
  readonly name?: string;
  readonly cause?: unknown;
}

const LONGEST_FRAME_LINE = 160;

/** Agent code with its line table, so that every complaint can point at the place. */
export class SourceText {
  readonly text: string;
  #lineStarts: number[] | undefined;

  constructor(text: string) {
    this.text = text;
  }

  slice(range: { start: number; end: number }): string {
    return this.text.slice(range.start, range.end);
  }

  position(offset: number): Position {
    const starts = this.#lines();
    const line = lastAtMost(starts, offset);
    return { line: line + 1, column: offset - (starts[line] ?? 0) + 1 };
  }

  line(offset: number): number {
    return lastAtMost(this.#lines(), offset) + 1;
  }

  offset(line: number, column: number): number {
    return (this.#lines()[line - 1] ?? this.text.length) + column - 1;
  }

  frame(offset: number): string {
    const { line, column } = this.position(offset);
    const width = String(line).length;
    const rows: string[] = [];
    for (let row = Math.max(1, line - 2); row <= line; row++) {
      rows.push(`${String(row).padStart(width)} | ${this.#line(row)}`);
    }
    const caret = Math.min(column, LONGEST_FRAME_LINE);
    return [...rows, `${" ".repeat(width)} | ${" ".repeat(caret - 1)}^`].join("\n");
  }

  /** What is wrong at a place, with its line, column and frame. */
  error(code: AnalyzerErrorCode, message: string, place: Place): AnalyzerError {
    const { offset, cause, ...more } = place;
    const at = Math.max(0, Math.min(offset, this.text.length));
    const { line, column } = this.position(at);
    const details = { line, column, frame: this.frame(at), ...more };
    return new AnalyzerError(code, `${message} (line ${line}, column ${column})`, { details, cause });
  }

  /** Where most brackets are open, as far as that can be told without reading the code. */
  deepest(): number {
    let [depth, most, at] = [0, 0, 0];
    for (let offset = 0; offset < this.text.length; offset++) {
      const character = this.text[offset] as string;
      if ("([{".includes(character) && ++depth > most) [most, at] = [depth, offset];
      else if (")]}".includes(character)) depth--;
    }
    return at;
  }

  #line(row: number): string {
    const starts = this.#lines();
    const end = starts[row] ?? this.text.length + 1;
    return this.text.slice(starts[row - 1], Math.min(end - 1, (starts[row - 1] ?? 0) + LONGEST_FRAME_LINE));
  }

  #lines(): number[] {
    if (this.#lineStarts) return this.#lineStarts;
    const starts = [0];
    const lineEnd = /\r\n?|[\n\u2028\u2029]/g;
    while (lineEnd.exec(this.text)) starts.push(lineEnd.lastIndex);
    return (this.#lineStarts = starts);
  }
}

/** Index of the last element that is ≤ `limit` in a sorted list; -1 when there is none. */
export function lastAtMost(sorted: readonly number[], limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as number) <= limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
