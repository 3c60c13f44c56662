import { unitUrl } from "./stack-frames.js";

/** What a unit's code becomes: given the values of its names, it makes a function of them. */
export type Start = (...values: unknown[]) => () => Promise<unknown>;

/** The text around a unit's code. */
export interface Wrapper {
  source: string;
  /** The names that are bound around the code, in order. */
  names: readonly string[];
  /** The function that binds them, and the one in it that is the code, as they stand in the source. */
  outer: string;
  inner: string;
}

/**
 * The code is a function of its own inside the one that binds its names, so that it may declare them again, and finds
 * nothing in `this` and `arguments`. They are plain parameters: V8 checks each use of a constant from further out for
 * having been initialised, which can make a loop half as fast. The parentheses around the code have it compiled at once,
 * where V8 would first skip it and come back.
 */
export function wrapCode(code: string, names: readonly string[], unit?: string): Wrapper {
  const mentioned = listMentioned(code, names);
  const inner = `async function () {\n${code}\n}`;
  const outer = `function (${mentioned.join()}) { return (${inner}); }`;
  return { source: `(${outer})\n//# sourceURL=${unitUrl(unit)}`, names: mentioned, outer, inner };
}

/**
 * Whether what came of evaluating the source is what the wrapper says. A function's text is where the engine saw it begin
 * and end: if both are whole, then nothing in the code closed one of them and went on outside, and there is nothing in
 * the source but what was put there. What an attempt may have run before it is found out had no name bound to anything.
 */
export function isWhole(made: unknown, { outer, inner }: Wrapper): made is Start {
  try {
    return hasText(made, outer) && hasText(made(), inner);
  } catch {
    return false;
  }
}

function hasText(value: unknown, text: string): value is (...values: unknown[]) => unknown {
  return typeof value === "function" && Function.prototype.toString.call(value) === text;
}

/** Binding only what is used saves more time than looking for it takes. A name may be spelt with escapes. */
function listMentioned(code: string, names: readonly string[]): string[] {
  const text = code.includes("\\u") ? `${code}\n${readEscapes(code)}` : code;
  return names.filter((name) => text.includes(name));
}

function readEscapes(code: string): string {
  return code.replace(/\\u(?:\{0*([\da-f]{1,5})\}|([\da-f]{4}))/gi, (_, braced: string | undefined, plain: string) =>
    String.fromCodePoint(Number.parseInt(braced ?? plain, 16)),
  );
}
