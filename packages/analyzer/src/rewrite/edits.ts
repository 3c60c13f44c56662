import type { Position, SourceText } from "../parse/source-text.js";

interface Range {
  readonly start: number;
  readonly end: number;
}

interface Edit extends Range {
  readonly text: string;
  /** Order among edits at one place. */
  readonly order: readonly [rank: number, nesting: number, sequence: number];
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
    this.#edits.push({ start: at, end: at, text, order: [INSERT, 0, this.#edits.length] });
  }

  /** Puts text around a range. Of two that begin or end together, the wider one, or the later one, stands outside. */
  wrap({ start, end }: Range, open: string, close: string): void {
    const sequence = this.#edits.length;
    this.#edits.push({ start, end: start, text: open, order: [OPEN, -end, -sequence] });
    this.#edits.push({ start: end, end, text: close, order: [CLOSE, -start, sequence] });
  }

  replace({ start, end }: Range, text: string): void {
    this.#edits.push({ start, end, text, order: [OPEN, 0, 0] });
  }

  apply(source: SourceText): { code: string; shifts: Shift[] } {
    this.#edits.sort(compare);
    const shifts: Shift[] = [];
    let code = "";
    let at = 0;
    for (const { start, end, text } of this.#edits) {
      code += source.text.slice(at, start) + text;
      const { line, column } = source.position(start);
      shifts.push([line, column, text.length - (end - start)]);
      at = end;
    }
    return { code: code + source.text.slice(at), shifts };
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
  const [rankA, nestingA, sequenceA] = a.order;
  const [rankB, nestingB, sequenceB] = b.order;
  return a.start - b.start || rankA - rankB || nestingA - nestingB || sequenceA - sequenceB;
}
