import { describe, expect, it } from "vitest";

import { StaticStructureBuilder } from "../src/index.js";
import { TOOLS } from "./tools.js";

const builder = new StaticStructureBuilder({ tools: TOOLS });
const BASE = `const file = await mcp.fs.read({ path: "a.json" });
const stat = await mcp.fs.stat({ path: "b.json" });
if (stat.size > 10) await mcp.fs.write({ path: "c.json", content: file.content });
return file;`;

describe("the hash", () => {
  it.each([
    ["other names", BASE.replaceAll("file", "f").replaceAll("stat.", "info.").replace("const stat", "const info")],
    ["another layout", BASE.replaceAll("\n", "   ").replaceAll("{ ", "{")],
    ["no semicolons", BASE.replaceAll(";", "")],
    ["other quotes", BASE.replaceAll('"', "'")],
    ["comments", `// first\n${BASE.replace("return", "/* then */ return")}`],
    [
      "types",
      BASE.replace("const file", "const file: { content: string }").replace("stat.size", "(stat as any).size!"),
    ],
    ["a quoted key", BASE.replace("{ path", '{ "path"')],
    ["a tool by its quoted name", BASE.replace("mcp.fs.read", 'mcp["fs"]["read"]')],
    ["empty statements", BASE.replace("return", ";;return")],
    [
      "reads that need nothing of each other in another order",
      BASE.split("\n")
        .toSpliced(0, 2, BASE.split("\n")[1] as string, BASE.split("\n")[0] as string)
        .join("\n"),
    ],
  ])("is the same with %s", (_, code) => {
    expect(builder.build(code).hash).toBe(builder.build(BASE).hash);
    expect(builder.build(code).shape).toBe(builder.build(BASE).shape);
  });

  it.each([
    ["another tool", BASE.replace("fs.stat", "fs.list")],
    ["another literal", BASE.replace("a.json", "z.json")],
    ["another constant in a condition", BASE.replace("10", "11")],
    ["another operator", BASE.replace(">", "<")],
    ["another property", BASE.replace("file.content", "file.text")],
    ["another field", BASE.replace("{ path", "{ file")],
    ["one call more", `${BASE.replace("return file;", "")}await mcp.log.write({}); return file;`],
    ["a branch more", BASE.replace("content });", "content }); else await mcp.fs.create({});")],
    ["another result", BASE.replace("return file", "return stat")],
    ["another input", BASE.replace('"a.json"', "args.path")],
    ["a variable that is used elsewhere", BASE.replace("stat.size", "file.size")],
  ])("is another with %s", (_, code) => {
    expect(builder.build(code).hash).not.toBe(builder.build(BASE).hash);
  });

  it.each([
    ["two calls that write", "await mcp.fs.create({ path: p });", "await mcp.fs.write({ path: p });", true],
    ["a read and a write", "const a = await mcp.fs.read({ path: p });", "await mcp.fs.write({ path: p });", true],
    ["two reads", "const a = await mcp.fs.read({ path: p });", "const b = await mcp.fs.stat({ path: p });", false],
    ["tools of which nothing is known", "await mcp.api.fetch({});", "await mcp.db.write({});", true],
  ])("knows whether the order of %s matters", (_, first, second, matters) => {
    const [forwards, backwards] = [builder.build(`${first}\n${second}`), builder.build(`${second}\n${first}`)];
    expect(forwards.hash !== backwards.hash).toBe(matters);
  });

  it("is the same for reads of one tool in another order, and so is the shape", () => {
    const lines = ["1", "2", "3"].map((path) => `const v${path} = await mcp.fs.read({ path: "${path}" });`);
    const orders = [
      [0, 1, 2],
      [2, 1, 0],
      [1, 2, 0],
    ].map((order) => order.map((at) => lines[at]).join("\n"));
    const found = orders.map((order) => builder.build(`${order}\nreturn [v1, v2, v3];`));
    expect(new Set(found.map(({ hash }) => hash)).size).toBe(1);
    expect(new Set(found.map(({ shape }) => shape)).size).toBe(1);
  });

  it.each([
    ["what a tag sees", "return String.raw`\\x41`", "return String.raw`A`"],
    ["a prototype and a field", "return { __proto__: args.a }", `return { ["__proto__"]: args.a }`],
  ])("tells apart %s", (_, one, other) => {
    expect(builder.build(one).hash).not.toBe(builder.build(other).hash);
  });

  it.each([
    ["args and context", "return args.a", "return context.a"],
    ["a block around one statement", "if (args.a) await mcp.fs.write({});", "if (args.a) { await mcp.fs.write({}); }"],
  ])("does not tell apart %s", (_, one, other) => {
    expect(builder.build(one).hash).toBe(builder.build(other).hash);
  });

  it("sorts chains of reads as wholes", () => {
    const [a1, a2, b1, b2] = [...chain("a", "x"), ...chain("b", "y")] as [string, string, string, string];
    const end = "return [aJson, bJson];";
    const hashes = [
      [a1, a2, b1, b2],
      [a1, b1, a2, b2],
      [b1, a1, b2, a2],
      [b1, b2, a1, a2],
    ].map((lines) => builder.build([...lines, end].join("\n")).hash);
    expect(new Set(hashes).size).toBe(1);
  });
});

describe("the shape", () => {
  it("is the same for other values of lifted literals", () => {
    const other = builder.build(BASE.replace("a.json", "z.json").replace("c.json", "y.json"));
    expect(other.shape).toBe(builder.build(BASE).shape);
  });

  it.each([
    ["a constant of the logic", BASE.replace("10", "11")],
    ["a tool", BASE.replace("fs.stat", "fs.list")],
    ["a literal that is no longer one", BASE.replace('"a.json"', "args.path")],
  ])("is another for %s", (_, code) => {
    expect(builder.build(code).shape).not.toBe(builder.build(BASE).shape);
  });
});

function chain(name: string, path: string): string[] {
  return [
    `const ${name} = await mcp.fs.read({ path: "${path}" });`,
    `const ${name}Json = await mcp.json.parse({ json: ${name}.content });`,
  ];
}
