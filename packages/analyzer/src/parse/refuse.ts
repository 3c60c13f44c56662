import type { AnyNode, Identifier, Program } from "acorn";
import { full } from "acorn-walk";

import { kindOfName, RESERVED_PREFIX } from "../globals.js";
import type { Scopes } from "./scope.js";
import type { SourceText } from "./source-text.js";

const REFUSED: Readonly<Record<string, string>> = {
  ImportDeclaration: "Code cannot import. Call tools as mcp.server.tool(…) instead",
  ImportExpression: "Code cannot import. Call tools as mcp.server.tool(…) instead",
  ExportAllDeclaration: "Code cannot export. Return a value instead",
  ExportDefaultDeclaration: "Code cannot export. Return a value instead",
  ExportNamedDeclaration: "Code cannot export. Return a value instead",
};

/** Throws at the first thing that parses but cannot run here. */
export function refuseWhatCannotRun(program: Program, scopes: Scopes, source: SourceText): void {
  const unguarded = new Set(scopes.free);
  full(program, (node) => {
    const refusal = REFUSED[node.type];
    if (refusal !== undefined) throw source.error("ANALYZER_UNSUPPORTED_SYNTAX", refusal, node.start);
    refuseMeta(node as AnyNode, source);
    // `typeof process` asks whether there is one, which is allowed.
    if (isTypeOfName(node as AnyNode)) unguarded.delete((node as AnyNode & { argument: Identifier }).argument);
  });
  for (const name of unguarded) refuseName(name, source);
  for (const name of scopes.undeclaredWrites) {
    const message = `"${name.name}" is assigned to but never declared. Declare it with let`;
    throw source.error("ANALYZER_UNDECLARED_NAME", message, name.start, { name: name.name });
  }
  for (const { name, at } of scopes.declared()) refuseReserved(name, at, source);
}

function refuseMeta(node: AnyNode, source: SourceText): void {
  if (node.type !== "MetaProperty" || node.meta.name !== "import") return;
  throw source.error("ANALYZER_UNSUPPORTED_SYNTAX", "Code cannot use import.meta", node.start);
}

function isTypeOfName(node: AnyNode): boolean {
  return node.type === "UnaryExpression" && node.operator === "typeof" && node.argument.type === "Identifier";
}

function refuseName({ name, start }: Identifier, source: SourceText): void {
  refuseReserved(name, start, source);
  if (name === "eval") throw source.error("ANALYZER_UNSUPPORTED_SYNTAX", "Code cannot use eval", start);
  if (kindOfName(name) !== "absent") return;
  const message = `"${name}" is not available to code here. Call a tool for it, or pass it in as an argument under another name`;
  throw source.error("ANALYZER_UNKNOWN_GLOBAL", message, start, { name });
}

function refuseReserved(name: string, at: number, source: SourceText): void {
  if (!name.startsWith(RESERVED_PREFIX)) return;
  throw source.error(
    "ANALYZER_RESERVED_NAME",
    `Names that begin with ${RESERVED_PREFIX} are reserved. Choose another`,
    at,
    { name },
  );
}
