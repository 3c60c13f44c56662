import { describe, expect, it } from "vitest";

import { syncSnippets } from "../scripts/snippets.js";

const SOURCE = `import { a } from "a";

function main() {
  // #region use
  a();
  if (a) {
    a();
  }
  // #endregion
}
`;

describe("snippets in documents", () => {
  it("are replaced by the region their marker names, without its indent", () => {
    expect(sync(block("use.ts#use", "old"))).toBe(block("use.ts#use", "a();\nif (a) {\n  a();\n}"));
  });

  it("are replaced by the whole file when the marker names no region", () => {
    expect(sync(block("use.ts", "old"))).toBe(block("use.ts", SOURCE.trimEnd()));
  });

  it("fill a block that is still empty", () => {
    const empty = block("use.ts#use", "old").replace("old\n", "");
    expect(sync(`${empty}\n\n${block("use.ts", "old")}`)).toBe(
      sync(`${block("use.ts#use", "x")}\n\n${block("use.ts", "y")}`),
    );
  });

  it("stay as they are once in step", () => {
    const synced = sync(`# Title\n\n${block("use.ts#use", "old")}\n\nMore.\n`);
    expect(sync(synced)).toBe(synced);
  });

  it("are left alone without a marker", () => {
    const document = "```ts\nold\n```\n";
    expect(sync(document)).toBe(document);
  });

  it("name a region that exists", () => {
    expect(() => sync(block("use.ts#gone", "old"))).toThrow('use.ts has no region "gone"');
  });
});

function sync(markdown: string): string {
  return syncSnippets(markdown, () => SOURCE);
}

function block(marker: string, code: string): string {
  return `<!-- snippet: ${marker} -->\n\n\`\`\`ts\n${code}\n\`\`\``;
}
