import type { Position, SourceText } from "../parse/source-text.js";

interface Range {
  readonly start: number;
  readonly end: number;
}

interface Edit extends Range {
  readonly text: string;
  /** Order among edits at one place. */
  readonly rank: number;
  readonly nesting: number;
  readonly sequence: number;
}

/** What was done to the text of one line: from this column on, so many characters more. */
export type Shift = readonly [line: number, column: number, added: number];

const CLOSE = 0;
const INSERT = 1;
const OPEN = 2;

/** Changes to a text that keep every line where it was. */
export class Edits {
  readonly #edits: Edit[] = [];

  insert(at: number, text: string): void {
    this.#edits.push({ start: at, end: at, text, rank: INSERT, nesting: 0, sequence: this.#edits.length });
  }

  /** Puts text around a range. Of two that begin or end together, the wider one, or the later one, stands outside. */
  wrap({ start, end }: Range, open: string, close: string): void {
    const sequence = this.#edits.length;
    this.#edits.push({ start, end: start, text: open, rank: OPEN, nesting: -end, sequence: -sequence });
    this.#edits.push({ start: end, end, text: close, rank: CLOSE, nesting: -start, sequence });
  }

  replace({ start, end }: Range, text: string): void {
    this.#edits.push({ start, end, text, rank: OPEN, nesting: 0, sequence: 0 });
  }

  apply(text: string): string {
    this.#edits.sort(compare);
    let code = "";
    let at = 0;
    for (const { start, end, text: put } of this.#edits) {
      code += text.slice(at, start) + put;
      at = end;
    }
    return code + text.slice(at);
  }

  shifts(source: SourceText): Shift[] {
    return this.#edits.map(({ start, end, text }) => {
      const { line, column } = source.position(start);
      return [line, column, text.length - (end - start)];
    });
  }
}

/** Where a place in rewritten code was before. */
export function originalPosition({ line, column }: Position, shifts: readonly Shift[]): Position {
  let added = 0;
  for (const [shiftLine, shiftColumn, length] of shifts) {
    if (shiftLine !== line) continue;
    if (column < shiftColumn + added) break;
    added += Math.min(length, column - shiftColumn - added);
  }
  return { line, column: column - added };
}

function compare(a: Edit, b: Edit): number {
  return a.start - b.start || a.rank - b.rank || a.nesting - b.nesting || a.sequence - b.sequence;
}
