import { Script } from "node:vm";

import type { Fault } from "../error.js";

/** Text that SES refuses wherever it stands, a string or a comment included. */
const FORBIDDEN: readonly [pattern: RegExp, what: string][] = [
  [/<!--|-->/, "an HTML comment (`<!--` or `-->`)"],
  [/(?:^|[^.]|\.\.\.)\bimport\s*(?:\(|\/[/*])/, "`import()`"],
  [/(?:^|[^.])\beval\s*\(/, "`eval()`"],
];

// Taken before the lockdown makes it inert. It only ever parses.
const AsyncFunction = (async () => {}).constructor as FunctionConstructor;

/** What SES would refuse, if there is any of it. */
export function findForbidden(code: string): Fault | undefined {
  for (const [pattern, what] of FORBIDDEN) {
    const match = pattern.exec(code);
    if (match !== null) return forbidden(what, lineAt(code, match.index + match[0].length));
  }
  return undefined;
}

/** Says what is wrong with code that is no function body by itself; the constructor parses it as one. */
export function describeSyntax(code: string): Fault {
  try {
    AsyncFunction(`"use strict";\n${code}\n`);
    return syntaxFault(new SyntaxError("It cannot be put into a function."), code);
  } catch (error) {
    return syntaxFault(error as Error, code);
  }
}

function forbidden(what: string, line: number): Fault {
  return {
    code: "SANDBOX_FORBIDDEN_SYNTAX",
    message: `Line ${line}: ${what} is refused, even inside a string or a comment. Write it differently.`,
    details: { line, syntax: what },
  };
}

function syntaxFault(error: Error, code: string): Fault {
  const line = findLine(code);
  return {
    code: "SANDBOX_SYNTAX",
    message: `The code is not JavaScript${line === undefined ? "" : ` (line ${line})`}: ${error.message}`,
    details: { reason: error.message, ...(line !== undefined && { line }) },
  };
}

/** A constructor does not say where; a script does, in the first line of its stack. */
function findLine(code: string): number | undefined {
  try {
    void new Script(`(async function () { "use strict";\n${code}\n})`, { filename: "pml:code", lineOffset: -1 });
    return undefined;
  } catch (error) {
    const line = /^pml:code:(\d+)/.exec(String((error as Error).stack))?.[1];
    return line === undefined ? undefined : Number(line);
  }
}

function lineAt(code: string, index: number): number {
  return code.slice(0, index).split("\n").length;
}
