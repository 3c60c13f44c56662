/**
 * Where the input of a call, or a part of it, came from. It holds no values: what was written into the code is read from
 * the code, and what came from elsewhere is there when the call is due.
 */
export type ArgumentSource =
  | { readonly from: "literal" }
  | { readonly from: "input"; readonly path: SourcePath }
  | { readonly from: "output"; readonly of: string; readonly path: SourcePath }
  /** Text around other sources, as in `"/orders/" + id`. */
  | { readonly from: "text"; readonly parts: readonly (string | ArgumentSource)[] }
  | { readonly from: "object"; readonly fields: readonly (readonly [name: string, source: ArgumentSource])[] }
  | { readonly from: "list"; readonly items: readonly ArgumentSource[] };

export type SourcePath = readonly (string | number | Turn)[];

/** The item that stands at the turn of a loop: of the outermost one for 0. */
export interface Turn {
  readonly turn: number;
}

const DEEPEST = 8;

/** Whether it has the form of a source, for what comes from outside. */
export function isSource(value: unknown, depth = 0): value is ArgumentSource {
  if (typeof value !== "object" || value === null || depth > DEEPEST) return false;
  const { from, path, of, parts, fields, items } = value as Record<string, unknown>;
  switch (from) {
    case "literal":
      return true;
    case "input":
      return isPath(path);
    case "output":
      return typeof of === "string" && isPath(path);
    case "text":
      return Array.isArray(parts) && parts.every((part) => typeof part === "string" || isSource(part, depth + 1));
    case "object":
      return Array.isArray(fields) && fields.every((field) => isField(field, depth));
    case "list":
      return Array.isArray(items) && items.every((item) => isSource(item, depth + 1));
    default:
      return false;
  }
}

function isField(field: unknown, depth: number): boolean {
  return Array.isArray(field) && typeof field[0] === "string" && isSource(field[1], depth + 1);
}

function isPath(path: unknown): boolean {
  return Array.isArray(path) && path.every((part) => typeof part === "string" || isIndex(part) || isTurn(part));
}

function isTurn(part: unknown): boolean {
  return typeof part === "object" && part !== null && isIndex((part as Partial<Turn>).turn);
}

function isIndex(part: unknown): boolean {
  return Number.isSafeInteger(part) && (part as number) >= 0;
}
