import { SCOPE_NAMES } from "./inputs.js";
import { unitUrl } from "./stack-frames.js";

/** What a unit's code becomes: given its globals and its scope, it makes a function of them. */
export type Start = (globals: object, scope: Record<string, unknown>) => () => Promise<unknown>;

/** The text around a unit's code. */
export interface Wrapper {
  source: string;
  /** The function that binds globals and inputs, and the one in it that is the code, as they stand in the source. */
  outer: string;
  inner: string;
}

export interface WrapperNames {
  unit?: string | undefined;
  globals: readonly string[];
  inputs: readonly string[];
}

/**
 * The code is a function of its own inside the one that binds its globals and inputs, so that it may declare their names
 * again, and finds nothing in `this` and `arguments`. Globals are constants: that makes code as fast as outside. The
 * parentheses around it have V8 compile it at once, where it would first skip it and come back.
 */
export function wrapCode(code: string, { unit, globals, inputs }: WrapperNames): Wrapper {
  const inner = `async function () {\n${code}\n}`;
  const scope = [...SCOPE_NAMES, ...inputs].join();
  const bindings = `const { ${listMentioned(code, globals).join()} } = arguments[0]; let { ${scope} } = arguments[1];`;
  const outer = `function () { ${bindings} return (${inner}); }`;
  return { source: `(${outer})\n//# sourceURL=${unitUrl(unit)}`, outer, inner };
}

/**
 * Whether what came of evaluating the source is what the wrapper says. A function's text is where the engine saw it begin
 * and end: if both are whole, then nothing in the code closed one of them and went on outside, and there is nothing in
 * the source but what was put there. What an attempt may have run before it is found out had neither globals nor scope.
 */
export function isWhole(made: unknown, { outer, inner }: Wrapper): made is Start {
  try {
    return hasText(made, outer) && hasText(made({}, {}), inner);
  } catch {
    return false;
  }
}

function hasText(value: unknown, text: string): value is (...values: unknown[]) => unknown {
  return typeof value === "function" && Function.prototype.toString.call(value) === text;
}

/** Binding only what is used saves more time than looking for it takes. A name may be spelt with escapes. */
function listMentioned(code: string, names: readonly string[]): readonly string[] {
  return code.includes("\\u") ? names : names.filter((name) => code.includes(name));
}
