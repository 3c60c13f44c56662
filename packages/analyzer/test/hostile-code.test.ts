import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { AnalyzerError, dagToCode, StaticStructureBuilder, structureToDag } from "../src/index.js";
import { SNIPPETS } from "./snippets/all.js";
import { TOOLS } from "./tools.js";

const builder = new StaticStructureBuilder({ tools: TOOLS });
const SOURCES = SNIPPETS.map(([, code]) => code);
const WORDS = `await => ... ?. \${ mcp args async function class return yield import( --> <!-- /* // __proto__ constructor 0n
  1e999 \\u{110000} \ud800`;
const PIECES = [..."(){}[]`'\"\\;,.=><!?:/*+-&|$#@~^%\n\u2028\u0000 ", ...WORDS.split(/\s+/).map((word) => `${word} `)];
const PACKAGES =
  "acorn/dist acorn-walk/dist astring/dist fast-check/lib @noble/hashes magic-string/dist picocolors".split(" ");

/** Names of a host that files use and the analyzer would refuse at sight. */
const HOST_NAMES = `require module exports process Buffer window global self define performance TextEncoder TextDecoder
  Uint8Array Uint32Array ArrayBuffer DataView crypto navigator fetch setImmediate queueMicrotask WebAssembly Function
  SharedArrayBuffer BigUint64Array FinalizationRegistry Float64Array Float32Array Int8Array Int16Array Int32Array
  Uint16Array Uint8ClampedArray BigInt64Array Atomics`;
const DECLARED = `const { ${HOST_NAMES.split(/\s+/).join(", ")} } = args;\n`;

describe("whatever it is given, the analyzer", () => {
  it("throws nothing but AnalyzerError on mutations of the snippets", () => {
    const mutation = fc.record({
      source: fc.constantFrom(...SOURCES),
      edits: fc.array(
        fc.record({
          at: fc.double({ min: 0, max: 1, noNaN: true }),
          cut: fc.nat(6),
          put: fc.constantFrom("", ...PIECES, ...SOURCES),
        }),
        { minLength: 1, maxLength: 4 },
      ),
    });
    let analysed = 0;
    fc.assert(
      fc.property(mutation, ({ source, edits }) => {
        const code = edits.reduce((text, { at, cut, put }) => {
          const from = Math.floor(at * text.length);
          return text.slice(0, from) + put + text.slice(from + cut);
        }, source);
        if (analyse(code)) analysed++;
      }),
      { numRuns: 20_000 },
    );
    // Most mutations break the syntax; those that do not must be many enough to mean something.
    expect(analysed).toBeGreaterThan(1000);
  });

  it("throws nothing but AnalyzerError on any text", () => {
    const texts = fc.string({ unit: "binary", maxLength: 200 });
    expect(() =>
      fc.assert(
        fc.property(texts, (code) => void analyse(code)),
        { numRuns: 2000 },
      ),
    ).not.toThrow();
  });

  it.each([500, 1200, 2000, 5000])("reads a sum of %i terms, or says that it is too deep", (terms) => {
    expect(() => analyse(`mcp.x.y({ v: ${"args.a + ".repeat(terms)}1 })`)).not.toThrow();
  });

  it.each(PACKAGES)("reads every file of %s", (name) => {
    const folder = join("node_modules", name);
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => /\.[cm]?js$/.test(file));
    let analysed = 0;
    for (const file of files) {
      const text = readFileSync(join(folder, file), "utf8");
      analyse(text);
      // Once more without what only a module may say, so that the rest of it is read as well.
      if (analyse(DECLARED + text.replaceAll(/^(import|export)\b[^;]*?;$|^export (default )?/gms, ""))) analysed++;
    }
    expect(files.length).toBeGreaterThan(0);
    expect(analysed).toBeGreaterThan(0);
  });
});

function analyse(code: string): boolean {
  try {
    const conversion = structureToDag(builder.build(code));
    if (conversion.ok && conversion.dag.tasks.length < 40) dagToCode(conversion.dag);
    return true;
  } catch (error) {
    if (error instanceof AnalyzerError) return false;
    throw new Error(`On ${JSON.stringify(code.slice(0, 2000))}`, { cause: error });
  }
}
