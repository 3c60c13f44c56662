import { describe, expect, it } from "vitest";

import { useSandbox } from "../shared-sandbox.js";

const { outcome, run } = useSandbox();

describe("source text", () => {
  it.each<[name: string, code: string, outcome: unknown]>([
    ["that imports a module", "return import('node:fs')", "SANDBOX_FORBIDDEN_SYNTAX"],
    ["that imports behind a comment", "return import/**/('node:fs')", "SANDBOX_FORBIDDEN_SYNTAX"],
    ["that imports behind a line comment", "return import//\n('node:fs')", "SANDBOX_FORBIDDEN_SYNTAX"],
    ["that imports behind a newline", "return import\n('node:fs')", "SANDBOX_FORBIDDEN_SYNTAX"],
    ["that imports behind a line separator", "return import\u2028('node:fs')", "SANDBOX_FORBIDDEN_SYNTAX"],
    ["that imports behind a no-break space", "return import\u00a0('node:fs')", "SANDBOX_FORBIDDEN_SYNTAX"],
    ["that imports behind a byte order mark", "return import\ufeff('node:fs')", "SANDBOX_FORBIDDEN_SYNTAX"],
    ["that spreads an import", "return { ...import('node:fs') }", "SANDBOX_FORBIDDEN_SYNTAX"],
    ["that imports in a template", "return `${import('node:fs')}`", "SANDBOX_FORBIDDEN_SYNTAX"],
    ["that imports at the very start", "import('node:fs')", "SANDBOX_FORBIDDEN_SYNTAX"],
    ["that imports by an escaped word", "return \\u0069mport('node:fs')", "SANDBOX_SYNTAX"],
    ["that imports statically", "import fs from 'node:fs'", "SANDBOX_SYNTAX"],
    ["that asks for import.meta", "return import.meta.url", "SANDBOX_SYNTAX"],
    ["that exports", "export const a = 1", "SANDBOX_SYNTAX"],
    ["that evaluates directly", "return eval('1')", "SANDBOX_FORBIDDEN_SYNTAX"],
    ["that evaluates in parentheses", "return (eval)('1')", "SANDBOX_UNKNOWN_GLOBAL"],
    ["that evaluates indirectly", "return (0, eval)('1')", "SANDBOX_UNKNOWN_GLOBAL"],
    ["that evaluates optionally", "return eval?.('1')", "SANDBOX_UNKNOWN_GLOBAL"],
    ["that has an opening HTML comment", "return 1 <!-- hidden", "SANDBOX_FORBIDDEN_SYNTAX"],
    ["that has a closing HTML comment", "/*\n*/ --> hidden\nreturn 1", "SANDBOX_FORBIDDEN_SYNTAX"],
    ["that hides an import in an HTML comment", "<!--\nreturn import('node:fs')", "SANDBOX_FORBIDDEN_SYNTAX"],
    ["that opens a with block", "with (args) { return a }", "SANDBOX_SYNTAX"],
    ["that closes its function", "}); escaped(); (async function () {", "SANDBOX_SYNTAX"],
    ["that closes both functions", "}; }); escaped(); (function () { return async function () {", "SANDBOX_SYNTAX"],
    ["that closes its function and goes on with a comma", "}, function () {", "SANDBOX_SYNTAX"],
    ["that closes its function and goes on with an operator", "} + function () {", "SANDBOX_SYNTAX"],
    ["that closes more than it opened", "}}{{", "SANDBOX_SYNTAX"],
    ["that leaves a comment open", "return 1 /*", "SANDBOX_SYNTAX"],
    ["that closes a comment it did not open", "*/ return 1 /*", "SANDBOX_SYNTAX"],
    ["that leaves a template open", "return `", "SANDBOX_SYNTAX"],
    ["that leaves a string open", "return '", "SANDBOX_SYNTAX"],
    ["that leaves a regular expression open", "return /", "SANDBOX_SYNTAX"],
    ["that begins with a hash-bang", "#!/usr/bin/env node\nreturn 1", "SANDBOX_SYNTAX"],
    ["that calls super", "super()", "SANDBOX_SYNTAX"],
    ["that reads new.target", "return new.target", undefined],
    ["that assigns to arguments", "arguments = 1", "SANDBOX_SYNTAX"],
    ["that declares eval", "const eval = 1", "SANDBOX_SYNTAX"],
    ["that deletes a name", "const a = 1; delete a", "SANDBOX_SYNTAX"],
    ["that has an octal number", "return 010", "SANDBOX_SYNTAX"],
    ["that ends in a line comment", "return 1 // the end", 1],
    ["that ends a comment with a line separator", "//\u2028return 2", 2],
    ["that ends a comment with a paragraph separator", "//\u2029return 2", 2],
    ["that has separators in a string", "return '\u2028\u2029'.length", 2],
    ["that has a NUL in a string", "return '\0'.length", 1],
    ["that has a lone surrogate", "return '\ud800'.length", 1],
    ["that declares a name of its scope again", "const mcp = 1, args = 2, console = 3; return mcp + args + console", 6],
    ["that says `use strict` again", "'use strict'; return 1", 1],
    ["that has a directive of its own", "'use asm'; return 1", 1],
    ["that reads its own source", "return (function f() {}).toString()", "function f() {}"],
    ["that names a source of its own", "//# sourceURL=node:fs\nreturn 1", 1],
    ["that names a source map", "//# sourceMappingURL=file:///etc/passwd\nreturn 1", 1],
  ])("%s", async (_, code, expected) => {
    expect(await outcome(code)).toEqual(expected);
  });

  it.each([
    ["before its own function", "}), mcp.a.call(), (async function () {"],
    ["in place of its function", "}, mcp.a.call(), async function () {"],
    ["after both functions", "}); })(...arguments), mcp.a.call(), (function () { return (async function () {"],
    ["with what its wrapper is given", "}), arguments[1].mcp.a.call(), (async function () {"],
    ["in a function that is called with that", "}), (() => arguments[1].mcp.a.call())(), (async function () {"],
    ["in a default of a second function", "}), (async function (a = mcp.a.call()) {"],
    ["in a key of an object", "}) && { [mcp.a.call()]: 1 } && (async function () {"],
    ["as a tag of its function", "}) || mcp.a.call`${async function () {"],
    ["in a microtask, later", "}), Promise.resolve().then(() => mcp.a.call()), (async function () {"],
    ["by way of an error", "}), (() => { throw mcp.a.call })(), (async function () {"],
    [
      "as the wrapper, written again",
      "}); }); (function () { let { mcp } = arguments[1]; return (async function () { mcp.a.call();",
    ],
    ["in a comment that is left open", "}); mcp.a.call(); /*"],
  ])("that closes its function to call a tool %s is refused, and calls none", async (_, code) => {
    let calls = 0;
    const tools = [{ id: "a:call", call: () => ++calls }];
    expect(await outcome(code, { tools })).toBe("SANDBOX_SYNTAX");
    expect(await outcome("return 1")).toBe(1);
    expect(calls).toBe(0);
  });

  it("that closes its function and loops is ended by its deadline", async () => {
    const code = "}), (() => { for (;;) {} })(), (async function () {";
    expect(await outcome(code, { limits: { timeoutMs: 300 } })).toBe("SANDBOX_TIMEOUT");
  });

  it.each([
    ["Array", "return \\u0041rray.of(1)", [1]],
    ["Math", "return M\\u{61}th.max(1, 2)", 2],
    ["an input", "return p\\u0061th", "a"],
    ["mcp", "return typeof \\u006dcp.a.b", "function"],
  ])("may spell %s with escapes", async (_, code, expected) => {
    expect(await outcome(code, { context: { path: "a" } })).toEqual(expected);
  });

  it.each([
    ["ends its lines as Windows does", "const a = 1;\r\nreturn a", 1],
    ["ends its lines as old Macs did", "const a = 1;\rreturn a", 1],
    ["begins with a byte order mark", "\ufeffreturn 1", 1],
    ["is empty", "", undefined],
    ["is one comment", "/* nothing */", undefined],
    ["is long", `${"const a = 1;\n".repeat(1)}${"a;\n".repeat(20_000)}return a`, 1],
  ])("that %s runs as it stands", async (_, code, expected) => {
    expect(await outcome(code)).toEqual(expected);
  });

  it("never shows an error of the library that refused it", async () => {
    const result = await run({ code: "return '<!--'" });
    expect(result).toMatchObject({ status: "error", error: { details: { line: 1 } } });
    expect(JSON.stringify(result)).not.toContain("SES");
  });

  it.each([
    ["of a capability is held to the same", "return import('node:fs')", "SANDBOX_FORBIDDEN_SYNTAX"],
    ["of a capability cannot close its function", "}); escaped(); (async () => {", "SANDBOX_SYNTAX"],
  ])("%s", async (_, code, expected) => {
    expect(await outcome("return capabilities.c()", { capabilities: { c: { code } } })).toBe(expected);
  });
});
