import { expect, it } from "vitest";

import { formatTable } from "./table.js";

it("sets columns below each other, numbers to the right", () => {
  const table = formatTable(
    [{ title: "name" }, { title: "used", align: "right" }, { title: "what" }],
    [
      ["a", "10", "x"],
      ["longer", "2", "y"],
    ],
    80,
  );
  expect(table).toBe(["name    used  what", "a         10  x", "longer     2  y"].join("\n"));
});

it("cuts the last column where the screen ends, and only there", () => {
  const rows = [["a", "a long text that says much more than fits"]];
  expect(formatTable([{ title: "n" }, { title: "text" }], rows, 20).split("\n")[1]).toBe("a  a long text that…");
  expect(formatTable([{ title: "n" }, { title: "text" }], rows, Infinity)).toContain("more than fits");
});

it("keeps a row on one line, whatever is in it", () => {
  expect(formatTable([{ title: "text" }], [["two\nlines\tand more"]], 80).split("\n")).toEqual([
    "text",
    "two lines and more",
  ]);
});
