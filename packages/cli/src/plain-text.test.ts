import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { plainJson, plainLine, plainText } from "./plain-text.js";

const COMMANDS = /(?![\n\t])[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;
const TEXTS = fc.string({ unit: "binary" });

describe("text that comes from a memory", () => {
  it("never holds what a screen obeys", () => {
    fc.assert(
      fc.property(TEXTS, (text) => {
        expect(plainText(text)).not.toMatch(COMMANDS);
        expect(plainLine(text)).not.toMatch(/\p{Cc}/u);
      }),
    );
  });

  it("stays as it was where it was plain", () => {
    fc.assert(fc.property(fc.stringMatching(/^[ -~]*$/), (text) => void expect(plainText(text)).toBe(text)));
  });

  it("as JSON reads back as it was", () => {
    fc.assert(
      fc.property(TEXTS, (text) => {
        const json = plainJson({ text });
        expect(JSON.parse(json)).toEqual({ text });
        expect(json).not.toMatch(COMMANDS);
      }),
    );
  });
});
