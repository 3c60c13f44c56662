import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { escapeText, toScriptJson } from "./escape.js";

describe("JSON in a script block", () => {
  it.each([
    ["the end of the block", "</script>"],
    ["its end in capitals, with a space", "</SCRIPT >"],
    ["the start of a comment", "<!--"],
    ["a block in a block", "<!--<script>"],
    ["the end of a CDATA section", "]]>"],
    ["line ends that JSON allows and scripts once did not", "\u2028\u2029"],
    ["a character reference", "&lt;/script&gt;"],
  ])("does not hold %s as it is", (_, text) => {
    const json = toScriptJson({ [text]: text });
    expect(json).not.toMatch(/[<>&\u2028\u2029]/);
    expect(JSON.parse(json)).toEqual({ [text]: text });
  });

  it("says the same as the value, whatever it is", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const json = toScriptJson(value);
        expect(json).not.toMatch(/[<>&\u2028\u2029]/);
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it("is well-formed for halves of characters", () => {
    const json = toScriptJson("\uD800 and \uDC00");
    expect(json).not.toMatch(/[\uD800-\uDFFF]/);
  });
});

describe("text between tags", () => {
  it("opens no tag and closes no quotes", () => {
    expect(escapeText(`<b onclick='x'>"&`)).toBe("&lt;b onclick=&#39;x&#39;&gt;&quot;&amp;");
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => !/[<>"']/.test(escapeText(text))));
  });
});
