import * as fc from "fast-check";
import { expect, it } from "vitest";

import { maskValues } from "./mask-values.js";

it.each([
  ["rain in Oslo tomorrow", { city: "oslo" }, "rain in city tomorrow"],
  ["under 20 units, not 200", { limit: 20 }, "under limit units, not 200"],
  ["copy a.txt to a.txt.bak", { from: "a.txt", to: "a.txt.bak" }, "copy from to to"],
  ["orders 7 and 9", { orderIds: [7, 9] }, "orders order ids and order ids"],
  ["Set (x) to $1", { key: "(x)", value: "$1" }, "Set key to value"],
  ["what is city", { city: "name", name: "city" }, "what is name"],
  ["nothing of it", { path: "a.json", flag: true, none: null }, "nothing of it"],
])("%j with %j reads %j", (intent, inputs, text) => {
  expect(maskValues(intent, inputs).text).toBe(text);
});

it("says which inputs the intent names", () => {
  expect([...maskValues("rain in Oslo", { city: "Oslo", unit: "mm" }).named]).toEqual(["city"]);
});

it("never throws, and leaves some text, whatever is given", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.dictionary(fc.string(), fc.anything()), (intent, inputs) => {
      const { text } = maskValues(intent, inputs);
      expect(text.trim() === "").toBe(intent.trim() === "");
    }),
  );
});
