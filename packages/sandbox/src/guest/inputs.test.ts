import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { listInputNames } from "./inputs.js";

const isGlobal = (name: string): boolean => name === "Array";

describe("the names of inputs", () => {
  it.each<[name: string, input: unknown, names: string[]]>([
    ["are its keys", { path: 1, $x: 2, _y: 3, größe: 4 }, ["path", "$x", "_y", "größe"]],
    ["leave out what is no identifier", { "a-b": 1, "1a": 2, "": 3, "a b": 4 }, []],
    ["leave out words of the language", { await: 1, let: 2, eval: 3, this: 4, undefined: 5, yield: 6 }, []],
    ["leave out names of the scope", { mcp: 1, args: 2, console: 3, __pmlHost: 4, __pmlAny: 5 }, []],
    ["leave out globals", { Array: 1 }, []],
    ["are none of a list", ["a"], []],
    ["are none of nothing", undefined, []],
  ])("%s", (_, input, names) => {
    expect(listInputNames(input, isGlobal)).toEqual(names);
  });

  it("can all be bound in strict code", () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (keys) => {
        const input = Object.fromEntries(keys.map((key) => [key, 1]));
        const names = listInputNames(input, isGlobal);
        // oxlint-disable-next-line typescript/no-implied-eval -- it is parsed, never run
        expect(() => new Function(`"use strict"; return ({ ${names.join(", ")} }) => 1`)).not.toThrow();
      }),
    );
  });
});
