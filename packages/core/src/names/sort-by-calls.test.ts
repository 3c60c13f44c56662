import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { Bundle } from "./bundle.js";
import { sortByCalls } from "./sort-by-calls.js";

const pack = (name: string, called: readonly unknown[]): Bundle["packages"][number] =>
  ({ address: name, content: { name, capability: { permissions: { capabilities: called } } } }) as never;

const sorted = (packages: Bundle["packages"]): string[] => sortByCalls(packages).map(({ address }) => address);

describe("packages of a bundle, sorted by what they call,", () => {
  it("come after what they call, in whatever version", () => {
    expect(sorted([pack("a", ["b@v1", "c"]), pack("b", ["c"]), pack("c", ["elsewhere", 7, null])])).toEqual([
      "c",
      "b",
      "a",
    ]);
  });

  it("are all there once, though they call each other in a circle", () => {
    expect(sorted([pack("a", ["b"]), pack("b", ["a"]), pack("c", ["c"])]).sort()).toEqual(["a", "b", "c"]);
  });

  it("may be a chain as long as any", () => {
    const chain = Array.from({ length: 100_000 }, (_, at) => pack(`n${at}`, [`n${at + 1}`]));
    expect(sorted(chain).slice(0, 2)).toEqual(["n99999", "n99998"]);
  });

  it("never come before what they call, where there is no circle", () => {
    const calls = fc.array(fc.uniqueArray(fc.nat(20)), { maxLength: 15 });
    fc.assert(
      fc.property(calls, (lists) => {
        const packages = lists.map((list, at) =>
          pack(
            `n${at}`,
            list.filter((each) => each > at).map((each) => `n${each}`),
          ),
        );
        const order = sorted(packages);
        expect(new Set(order).size).toBe(packages.length);
        for (const [at, list] of lists.entries())
          for (const called of list.filter((each) => each > at && each < lists.length))
            expect(order.indexOf(`n${called}`)).toBeLessThan(order.indexOf(`n${at}`));
      }),
    );
  });
});
