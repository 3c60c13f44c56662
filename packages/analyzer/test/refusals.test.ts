import { describe, expect, it } from "vitest";

import { type Analysis, AnalyzerError, type AnalyzerErrorCode, StaticStructureBuilder } from "../src/index.js";
import { CAPABILITIES, TOOLS } from "./tools.js";

type Refusal = readonly [name: string, code: string, error: AnalyzerErrorCode, line: number, column: number];

const SYNTAX: readonly Refusal[] = [
  ["no code at all", "", "ANALYZER_SYNTAX", 1, 1],
  ["nothing but space", " \n\t ", "ANALYZER_SYNTAX", 1, 1],
  ["a parenthesis that is not closed", "await mcp.fs.read({ path };", "ANALYZER_SYNTAX", 1, 27],
  ["a block that is not closed", "if (a) {\n  await mcp.api.fetch({});", "ANALYZER_SYNTAX", 2, 27],
  ["a block that is closed twice, in TypeScript", "const a: string = b;\n}\nconst c = {", "ANALYZER_SYNTAX", 2, 1],
  ["a string that is not closed", "const a = 'x\nreturn a;", "ANALYZER_SYNTAX", 1, 11],
  ["a template that is not closed", "const a = `x;\nreturn a;", "ANALYZER_SYNTAX", 1, 11],
  ["a pattern that is not closed", "return /(/;", "ANALYZER_SYNTAX", 1, 9],
  ["a value that is missing", "const a = 1;\nconst b = ;", "ANALYZER_SYNTAX", 2, 11],
  ["a value that is missing after a Windows line end", "const a = 1;\r\nconst b = ;", "ANALYZER_SYNTAX", 2, 11],
  ["a value that is missing after letters of two bytes", "const é = '日本';\nreturn 1 + ;", "ANALYZER_SYNTAX", 2, 12],
  ["a type that is missing", "const a: = 1;", "ANALYZER_SYNTAX", 1, 10],
  ["a value that is missing in TypeScript", "const a: string = '';\nconst b: number = ;", "ANALYZER_SYNTAX", 2, 19],
  ["a constant without a value", "const a;", "ANALYZER_SYNTAX", 1, 7],
  ["a name that is declared twice", "const a = 1;\nconst a = 2;", "ANALYZER_SYNTAX", 2, 7],
  ["a name that is a word of the language", "const class = 1;", "ANALYZER_SYNTAX", 1, 7],
  ["await where nothing waits", "function f() {\n  await mcp.api.fetch({});\n}", "ANALYZER_SYNTAX", 2, 3],
  ["break where nothing is left", "break;", "ANALYZER_SYNTAX", 1, 1],
  ["a label that is not there", "for (;;) break nowhere;", "ANALYZER_SYNTAX", 1, 10],
  ["yield outside a generator", "yield 1;", "ANALYZER_SYNTAX", 1, 1],
  ["super outside a class", "super.x();", "ANALYZER_SYNTAX", 1, 1],
  ["return in a static block", "class A { static { return 1; } }", "ANALYZER_SYNTAX", 1, 20],
  ["deleting a name", "delete path;", "ANALYZER_SYNTAX", 1, 1],
  ["a number of old", "return 010;", "ANALYZER_SYNTAX", 1, 8],
  ["JSX", 'const a = <div className="b">{c}</div>;', "ANALYZER_SYNTAX", 1, 16],
  ["prose", "Here is the code you asked for:", "ANALYZER_SYNTAX", 1, 6],
  ["a decorator", "@log\nclass A {}", "ANALYZER_SYNTAX", 1, 1],
  ["a byte that is no text", "\0", "ANALYZER_SYNTAX", 1, 1],
];

const UNSUPPORTED: readonly Refusal[] = [
  ["with", "return 1;\nwith (a) { b(); }", "ANALYZER_UNSUPPORTED_SYNTAX", 2, 1],
  ["with, in TypeScript", "const a: string = b;\nwith (a) { c(); }", "ANALYZER_UNSUPPORTED_SYNTAX", 2, 1],
  ["a type assertion of the old kind", "return <string>args.a;", "ANALYZER_UNSUPPORTED_SYNTAX", 1, 8],
  ["import", "import fs from 'node:fs';", "ANALYZER_UNSUPPORTED_SYNTAX", 1, 1],
  ["import after other code", "const a = 1;\nimport { b } from 'b';", "ANALYZER_UNSUPPORTED_SYNTAX", 2, 1],
  ["import of types", "import type { A } from 'a';\nreturn 1;", "ANALYZER_UNSUPPORTED_SYNTAX", 1, 1],
  ["import of old", "import fs = require('fs');", "ANALYZER_UNSUPPORTED_SYNTAX", 1, 1],
  ["import()", "const fs = await import('fs');", "ANALYZER_UNSUPPORTED_SYNTAX", 1, 18],
  ["import() in a helper", "const f = () =>\n  import(args.name);", "ANALYZER_UNSUPPORTED_SYNTAX", 2, 3],
  ["import.meta", "return import.meta.url;", "ANALYZER_UNSUPPORTED_SYNTAX", 1, 8],
  ["export of a constant", "export const a = 1;", "ANALYZER_UNSUPPORTED_SYNTAX", 1, 1],
  ["export of a default", "const a = 1;\nexport default a;", "ANALYZER_UNSUPPORTED_SYNTAX", 2, 1],
  ["export of names", "const a = 1;\nexport { a };", "ANALYZER_UNSUPPORTED_SYNTAX", 2, 1],
  ["export of everything", "export * from 'a';", "ANALYZER_UNSUPPORTED_SYNTAX", 1, 1],
  ["export in TypeScript", "const a: string = '';\nexport const b = 1;", "ANALYZER_UNSUPPORTED_SYNTAX", 2, 1],
  ["eval", "return eval('1');", "ANALYZER_UNSUPPORTED_SYNTAX", 1, 8],
  ["eval by another name", "const run = eval;\nrun('1');", "ANALYZER_UNSUPPORTED_SYNTAX", 1, 13],
  ["enum", "enum Mode {\n  Fast,\n}\nreturn Mode.Fast;", "ANALYZER_UNSUPPORTED_SYNTAX", 1, 1],
  ["const enum", "const a = 1;\nconst enum Mode { Fast }", "ANALYZER_UNSUPPORTED_SYNTAX", 2, 1],
  ["namespace", "namespace A {\n  export const b = 1;\n}", "ANALYZER_UNSUPPORTED_SYNTAX", 1, 1],
  ["parameter properties", "class A {\n  constructor(private a: string) {}\n}", "ANALYZER_UNSUPPORTED_SYNTAX", 2, 23],
  ["type assertions in angle brackets", "const a = <string>args.b;", "ANALYZER_UNSUPPORTED_SYNTAX", 1, 11],
];

const NAMES: readonly Refusal[] = [
  ["fetch", "const page = await fetch('https://example.com');", "ANALYZER_UNKNOWN_GLOBAL", 1, 20],
  ["fetch as a callback", "return [1].map(fetch);", "ANALYZER_UNKNOWN_GLOBAL", 1, 16],
  ["fetch in shorthand", "return { fetch };", "ANALYZER_UNKNOWN_GLOBAL", 1, 10],
  ["process", "const a = 1;\nreturn process.env.HOME;", "ANALYZER_UNKNOWN_GLOBAL", 2, 8],
  ["a part of process behind typeof", "return typeof process.env;", "ANALYZER_UNKNOWN_GLOBAL", 1, 15],
  ["require", "const fs = require('fs');", "ANALYZER_UNKNOWN_GLOBAL", 1, 12],
  ["Function", "return new Function('return 1')();", "ANALYZER_UNKNOWN_GLOBAL", 1, 12],
  [
    "Buffer in a function nobody calls",
    "function f() {\n  return Buffer.from('');\n}",
    "ANALYZER_UNKNOWN_GLOBAL",
    2,
    10,
  ],
  ["Deno", "Deno.readFile('a');", "ANALYZER_UNKNOWN_GLOBAL", 1, 1],
  ["crypto", "return crypto.randomUUID();", "ANALYZER_UNKNOWN_GLOBAL", 1, 8],
  ["an assignment to what is not declared", "const a = 1;\n  total = a;", "ANALYZER_UNDECLARED_NAME", 2, 3],
  ["a sum into what is not declared", "total += 1;", "ANALYZER_UNDECLARED_NAME", 1, 1],
  ["counting what is not declared", "n++;", "ANALYZER_UNDECLARED_NAME", 1, 1],
  ["taking apart into what is not declared", "({ a } = args);", "ANALYZER_UNDECLARED_NAME", 1, 4],
  ["a loop over what is not declared", "for (item of items) console.log(item);", "ANALYZER_UNDECLARED_NAME", 1, 6],
  ["an assignment to mcp", "mcp = {};", "ANALYZER_UNDECLARED_NAME", 1, 1],
  ["an assignment to args", "args = {};", "ANALYZER_UNDECLARED_NAME", 1, 1],
  ["a reserved constant", "const __pml = 1;", "ANALYZER_RESERVED_NAME", 1, 7],
  ["a reserved function", "function __pmlCall() {}", "ANALYZER_RESERVED_NAME", 1, 10],
  ["a reserved parameter", "const f = (__pml1) => 1;", "ANALYZER_RESERVED_NAME", 1, 12],
  ["a reserved part of a pattern", "const { a: __pmlA } = args;", "ANALYZER_RESERVED_NAME", 1, 12],
  ["a reserved input", "return __pml_x;", "ANALYZER_RESERVED_NAME", 1, 8],
  ["a call of mcp", "await mcp({});", "ANALYZER_NOT_CALLABLE", 1, 7],
  ["a call of a server", "await mcp.fs({ path });", "ANALYZER_NOT_CALLABLE", 1, 7],
  ["a call of a server by another name", "const { fs } = mcp;\nawait fs({ path });", "ANALYZER_NOT_CALLABLE", 2, 7],
  ["a call of capabilities", "await capabilities({});", "ANALYZER_NOT_CALLABLE", 1, 7],
  ["a call of a namespace of capabilities", "await capabilities.fs({ path });", "ANALYZER_NOT_CALLABLE", 1, 7],
  ["a call of a namespace among the tools", "await mcp.cap.fs({ path });", "ANALYZER_NOT_CALLABLE", 1, 7],
];

describe.each(Object.entries({ SYNTAX, UNSUPPORTED, NAMES }))("refused: %s", (_, refusals) => {
  it.each(refusals)("%s", (_, code, ...expected) => {
    const { code: error, details } = refusalOf(code);
    expect([error, details.line, details.column]).toEqual(expected);
    const [, line] = expected;
    expect(details.frame).toContain(code.split(/\r?\n/)[line - 1]);
  });
});

describe("code that is not refused", () => {
  it.each([
    ["a name of the host that the code declares itself", "const fetch = (x) => x;\nreturn fetch(1);"],
    ["typeof of what is not there", "return typeof process;"],
    ["a property with a reserved name", "return args.__pml;"],
    ["words that an input may be called", "return [document, location, module];"],
    ["declarations that are only types", "declare const a: string;\ntype B = string;\nreturn 1;"],
    ["nothing but comments", "// nothing\n/* here */"],
    ["a mark of the byte order", "\uFEFFreturn 1;"],
  ])("%s", (_, code) => {
    expect(builder.build(code).structure.nodes).toEqual([]);
  });
});

describe("code that is too much", () => {
  it("is refused at 1 MB, at the place where it became too long", () => {
    const { code, details } = refusalOf("await mcp.log.write({});\n".repeat(42_000));
    expect(code).toBe("ANALYZER_TOO_LARGE");
    expect([details.line, details.column]).toEqual([20_001, 1]);
    expect(details.frame).toContain("await mcp.log.write({});");
  });

  it.each(Object.entries(nestings(10_000)))("is refused or understood when it nests 10 000 deep: %s", (_, code) => {
    const outcome = outcomeOf(code);
    const where = outcome instanceof AnalyzerError ? outcome.details : { line: 1, column: 1, frame: "1 | " };
    expect(outcome instanceof AnalyzerError || !(outcome instanceof Error), String(outcome)).toBe(true);
    expect(where).toMatchObject({
      line: expect.any(Number),
      column: expect.any(Number),
      frame: expect.stringContaining(" | "),
    });
  });

  it("is refused where calls of calls take too many steps, at the function that is too much", () => {
    const helpers = Array.from({ length: 20 }, (_, index) => double(index + 1));
    const { code, details } = refusalOf(
      ["const f0 = async () => mcp.api.fetch({});", ...helpers, "await f20();"].join("\n"),
    );
    expect(code).toBe("ANALYZER_TOO_COMPLEX");
    expect(details).toMatchObject({ line: expect.any(Number), frame: expect.stringContaining("const f") });
  });

  it.each(Object.entries(nestings(20)))("is understood when it nests 20 deep: %s", (_, code) => {
    expect(outcomeOf(code)).not.toBeInstanceOf(Error);
  });
});

/** Every way of nesting that a parser or a walk may follow by calling itself. */
function nestings(depth: number): Record<string, string> {
  const read = "await mcp.fs.read({ path });";
  const around = (open: string, inside: string, close: string): string =>
    open.repeat(depth) + inside + close.repeat(depth);
  return {
    parentheses: around("(", "1", ")"),
    arrays: around("[", "1", "]"),
    objects: `return ${around("{ a: ", "1", " }")}`,
    blocks: around("{", read, "}"),
    functions: around("function f() {", "", "}"),
    arrows: `const f = ${around("() => ", "1", "")};`,
    "functions called at once": around("await (async () => {", read, "})();"),
    "template strings": around("`${", "1", "}`"),
    "unary operators": `return ${around("!", "a", "")};`,
    members: `return a${".b".repeat(depth)};`,
    "optional members": `return a${"?.b".repeat(depth)};`,
    calls: `return a${"()".repeat(depth)};`,
    "methods of results": `return items${".map((x) => x)".repeat(depth)};`,
    "promises continued": `await mcp.api.fetch({})${".then((x) => x)".repeat(depth)};`,
    sums: `return 1${" + a".repeat(depth)};`,
    conjunctions: `return a${" && a".repeat(depth)};`,
    assignments: `let a;\n${"a = ".repeat(depth)}1;`,
    "else-if": `if (a) 1;${" else if (b) 2;".repeat(depth)}`,
    ifs: around("if (a) ", read, ""),
    ternaries: `return ${around("a ? 1 : ", "2", "")};`,
    loops: around("for (const a of b) ", read, ""),
    tries: around("try {", read, "} catch {}"),
    switches: around("switch (a) { case 1: ", read, "}"),
    patterns: `const ${around("{ a: ", "b", " }")} = args;`,
    classes: around("class A { m() {", "", "} }"),
    "generic types": `let a: ${around("Array<", "string", ">")};`,
    "types of a call": `f<${around("A<", "B", ">")}>(1);`,
    "function types": `let a: ${around("() => ", "void", "")};`,
    "conditional types": `type A = ${around("B extends C ? 1 : ", "2", "")};`,
    casts: `return a${" as any".repeat(depth)};`,
    "blocks in TypeScript": `let a: string;\n${around("{", read, "}")}`,
    "sums in TypeScript": `let b: string;\nreturn 1${" + a".repeat(depth)};`,
  };
}

/** A helper that calls the one before it twice. */
function double(n: number): string {
  return `const f${n} = async () => { await f${n - 1}(); await f${n - 1}(); };`;
}

function outcomeOf(code: string): Analysis | Error {
  try {
    return builder.build(code);
  } catch (error) {
    return error as Error;
  }
}

function refusalOf(code: string): AnalyzerError {
  const outcome = outcomeOf(code);
  expect(outcome).toBeInstanceOf(AnalyzerError);
  return outcome as AnalyzerError;
}

const builder = new StaticStructureBuilder({ tools: TOOLS, capabilities: CAPABILITIES });
