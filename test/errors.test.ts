import { readdirSync, readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

const packages = readdirSync("packages").sort();
const documented = readDocumentedCodes(readFileSync("docs/errors.md", "utf8"));

describe("docs/errors.md", () => {
  it.each(packages)("has every code of @pml/%s, and no other", async (name) => {
    const documentedCodes = documented.get(`@pml/${name}`) ?? [];
    expect(documentedCodes.sort()).toEqual((await listExportedCodes(`@pml/${name}`)).sort());
  });

  it("speaks of no package that is not there", () => {
    const known = packages.map((name) => `@pml/${name}`);
    expect([...documented.keys()].filter((name) => !known.includes(name))).toEqual([]);
  });

  it("gives each code to one package", () => {
    const codes = [...documented.values()].flat();
    expect(codes).toEqual([...new Set(codes)]);
  });
});

async function listExportedCodes(name: string): Promise<string[]> {
  const exported = (await import(name)) as Record<string, unknown>;
  return Object.entries(exported)
    .filter(([key]) => key.endsWith("_ERROR_CODES"))
    .flatMap(([, codes]) => codes as string[]);
}

/** The codes in the first column of the table under each `## @pml/…` heading. */
function readDocumentedCodes(markdown: string): Map<string, string[]> {
  const sections = markdown.split(/^## (?=@pml\/)/m).slice(1);
  return new Map(
    sections.map((section) => [
      section.slice(0, section.indexOf("\n")).trim(),
      [...section.matchAll(/^\| `([A-Z0-9_]+)` *\| *\S/gm)].map((row) => row[1] ?? ""),
    ]),
  );
}
