import type { Identifier } from "acorn";

import { kindOfName, RESERVED_PREFIX } from "../globals.js";
import type { Scopes } from "./scope.js";
import type { SourceText } from "./source-text.js";

/** Throws at the first thing that parses but cannot run here. */
export function refuseWhatCannotRun(scopes: Scopes, source: SourceText): void {
  const [refused] = scopes.refused;
  if (refused) throw source.error("ANALYZER_UNSUPPORTED_SYNTAX", reasonFor(refused.type), { offset: refused.start });
  for (const name of scopes.free) if (!scopes.asked.has(name)) refuseName(name, source);
  for (const { name, start } of scopes.undeclaredWrites) {
    const message = `"${name}" is assigned to but never declared. Declare it with let`;
    throw source.error("ANALYZER_UNDECLARED_NAME", message, { offset: start, name });
  }
  for (const { name, at } of scopes.declared()) refuseReserved(name, at, source);
}

function reasonFor(type: string): string {
  if (type === "MetaProperty") return "Code cannot use import.meta";
  if (type.startsWith("Export")) return "Code cannot export. Return a value instead";
  return "Code cannot import. Call tools as mcp.server.tool(…) instead";
}

function refuseName({ name, start }: Identifier, source: SourceText): void {
  refuseReserved(name, start, source);
  if (name === "eval") throw source.error("ANALYZER_UNSUPPORTED_SYNTAX", "Code cannot use eval", { offset: start });
  if (kindOfName(name) !== "absent") return;
  const message = `"${name}" is not available to code here. Call a tool for it, or pass it in under another name`;
  throw source.error("ANALYZER_UNKNOWN_GLOBAL", message, { offset: start, name });
}

function refuseReserved(name: string, offset: number, source: SourceText): void {
  if (!name.startsWith(RESERVED_PREFIX)) return;
  const message = `Names that begin with ${RESERVED_PREFIX} are reserved. Choose another`;
  throw source.error("ANALYZER_RESERVED_NAME", message, { offset, name });
}
