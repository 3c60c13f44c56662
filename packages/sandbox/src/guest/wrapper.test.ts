import { runInThisContext } from "node:vm";

import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { isWhole, wrapCode } from "./wrapper.js";

const NAMES = ["Array", "Math", "path"];
const AsyncFunction = (async () => {}).constructor as FunctionConstructor;

/** As a compartment does: strict, and with nothing around it. */
function evaluate(source: string): unknown {
  try {
    return runInThisContext(`"use strict";${source}`);
  } catch {
    return undefined;
  }
}

function isFunctionBody(code: string): boolean {
  try {
    AsyncFunction(`"use strict";\n${code}\n`);
    return true;
  } catch {
    return false;
  }
}

function isAccepted(code: string): boolean {
  const wrapper = wrapCode(code, NAMES);
  return isWhole(evaluate(wrapper.source), wrapper);
}

/** What an attempt to close the wrapper is made of, and what could hide it from whoever counts brackets. */
const piece = fc.constantFrom(
  ..."} ) ; , ( { [ ] ` ${ ' \" / /* */ // \\ \n \u2028 = => x y 1 await return async function () {".split(" "),
  "async function () {",
  "return (async function () {",
  "function () {",
  "}); })",
  "}), x, (async function () {",
  "`${",
  "}`",
  "\n//# sourceURL=pml:code",
);

describe("a wrapper", () => {
  /** An attempt may leave a promise behind that fails: a child logs it, and here it is nobody's. */
  let listeners: NodeJS.UnhandledRejectionListener[];
  beforeAll(() => {
    listeners = process.rawListeners("unhandledRejection") as NodeJS.UnhandledRejectionListener[];
    process.removeAllListeners("unhandledRejection").on("unhandledRejection", () => {});
  });
  afterAll(async () => {
    await new Promise(setImmediate);
    process.removeAllListeners("unhandledRejection");
    for (const listener of listeners) process.on("unhandledRejection", listener);
  });

  it("is whole exactly when its code is the body of a function by itself", () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const code = pieces.join(" ");
        expect(isAccepted(code)).toBe(isFunctionBody(code));
      }),
      { numRuns: 5000 },
    );
  });

  it.each([
    ["text alone", "return 1"],
    ["nothing", ""],
    ["all of itself, as text", JSON.stringify(wrapCode("return 1", NAMES).source)],
    ["all of itself, as a comment", `/*${wrapCode("return 1", NAMES).source}*/`],
  ])("of %s is whole", (_, code) => {
    expect(isAccepted(code)).toBe(true);
  });

  it("that was not made by its source is not", () => {
    expect(isWhole(evaluate("(function () { return async function () {} })"), wrapCode("", NAMES))).toBe(false);
  });

  it.each([
    ["it mentions", "return [Array, path]", ["Array", "path"]],
    ["it mentions in a text", "return 'Math'", ["Math"]],
    ["it spells with escapes", "return [M\\u0061th, p\\u{000061}th]", ["Math", "path"]],
    ["it does not mention", "return 1", []],
    ["it spells beyond what there is", "return '\\u{fffff}\\u{0}'", []],
  ])("binds the names %s", (_, code, names) => {
    expect(wrapCode(code, NAMES).names).toEqual(names);
  });

  it("gives its code the values of its names", async () => {
    const wrapper = wrapCode("return [path, Array]", NAMES);
    const start = evaluate(wrapper.source);
    expect(isWhole(start, wrapper) && (await start(1, "a")())).toEqual(["a", 1]);
  });
});
