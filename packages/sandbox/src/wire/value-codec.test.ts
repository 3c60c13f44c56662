import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { copyValue } from "./copy-value.js";
import { decodeValue } from "./decode-value.js";
import { encodeValue } from "./encode-value.js";

const PLENTY = 10_000_000;

const data = fc.letrec<{ node: unknown }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4 },
    fc.string({ unit: "binary" }),
    fc.double(),
    fc.bigInt(),
    fc.boolean(),
    fc.constantFrom(null, undefined),
    fc.date({ noInvalidDate: false }),
    fc.array(tie("node")),
    fc.dictionary(
      fc.string().filter((key) => key !== "__proto__"),
      tie("node"),
      { noNullPrototype: true },
    ),
    fc.dictionary(fc.constantFrom("$type", "value"), tie("node"), { noNullPrototype: true }),
    fc.array(fc.tuple(tie("node"), tie("node"))).map((entries) => new Map(entries)),
    fc.array(tie("node")).map((items) => new Set(items)),
  ),
})).node;

describe("a value, encoded and decoded,", () => {
  it("is what it was", () => {
    fc.assert(
      fc.property(data, (value) => {
        const encoding = encodeValue(value, PLENTY);
        expect(encoding.ok && decodeValue(encoding.value)).toEqual(value);
      }),
    );
  });

  it("of JSON is the same text as JSON's own", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        fc.pre(!text.includes("__proto__") && !text.includes("-0"));
        const value: unknown = JSON.parse(text);
        expect(encodeValue(value, PLENTY)).toMatchObject({ value: { text: JSON.stringify(value) } });
      }),
    );
  });

  it("is refused exactly when it takes more bytes than allowed", () => {
    fc.assert(
      fc.property(data, fc.nat(200), (value, maxBytes) => {
        const whole = encodeValue(value, PLENTY);
        const capped = encodeValue(value, maxBytes);
        const refused = { ok: false, refusal: { reason: "size", maxBytes } };
        expect(capped).toEqual(whole.ok && whole.bytes <= maxBytes ? whole : refused);
      }),
    );
  });

  it("never throws, whatever it is", () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true, withSparseArray: true, withTypedArray: true }), (value) => {
        expect(typeof encodeValue(value, PLENTY).ok).toBe("boolean");
      }),
    );
  });
});

describe("a copy", () => {
  it("equals what it was made from, and shares nothing with it", () => {
    fc.assert(
      fc.property(data, (value) => {
        fc.pre(!Number.isNaN(value));
        const copy = copyValue(value);
        expect(copy).toEqual(value);
        expect(copy === value).toBe(typeof value !== "object" || value === null);
      }),
    );
  });
});
