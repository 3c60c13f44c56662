import { AnalyzerError, isStackOverflow } from "../error.js";
import type { SourceText } from "./source-text.js";

/** Replaces type syntax by as many spaces, so that every position stays where it was. */
export type StripTypes = (source: SourceText) => string;

interface Stripper {
  transformSync(code: string, options: { mode: "strip-only"; module: true }): { code: string };
}

interface StripFailure {
  readonly code?: string;
  readonly message?: string;
  readonly startLine?: number;
  readonly startColumn?: number;
}

interface Require {
  (id: string): unknown;
  resolve(id: string): string;
  cache: Record<string, unknown>;
}

// Agent code has top-level `await` and `return`: both are only legal inside an async function.
const OPEN = "async()=>{";
const CLOSE = "\n}";
const MODULE = "@swc/wasm-typescript";

let require: Require | undefined;
let loaded: Stripper | undefined;

export const stripTypes: StripTypes = (source) => {
  try {
    const { code } = stripper(source).transformSync(OPEN + source.text + CLOSE, { mode: "strip-only", module: true });
    const stripped = code.slice(OPEN.length, code.length - CLOSE.length);
    if (stripped.length === source.text.length) return stripped;
  } catch (failure) {
    throw failure instanceof AnalyzerError ? failure : explain(source, failure);
  }
  const message = "The code closes a block that it did not open. Check the braces";
  throw source.error("ANALYZER_SYNTAX", message, { offset: Math.max(0, source.text.lastIndexOf("}")) });
};

/** Loaded on the first TypeScript that comes: most agent code is JavaScript and never pays the 30 ms. */
function stripper(source: SourceText): Stripper {
  require ??= findRequire();
  if (require) return (loaded ??= require(MODULE) as Stripper);
  const message = "The code is not JavaScript, and types can only be stripped in Node. Pass JavaScript";
  throw source.error("ANALYZER_TYPES_UNAVAILABLE", message, { offset: 0 });
}

/** Without an import of `node:module`, the package loads in a browser as it is. */
function findRequire(): Require | undefined {
  const host = globalThis as {
    process?: { getBuiltinModule?: (id: string) => { createRequire(from: string): Require } | undefined };
  };
  return host.process?.getBuiltinModule?.("node:module")?.createRequire((import.meta as { url?: string }).url ?? "");
}

function explain(source: SourceText, failure: unknown): AnalyzerError {
  if (!isSyntaxFailure(failure)) {
    discardStripper();
    const tooDeep = "The code nests too deeply to be analysed. Split it into functions";
    return source.error("ANALYZER_TOO_DEEP", tooDeep, { offset: source.deepest(), cause: failure });
  }
  const { code, message = "The code does not parse", startLine = 1, startColumn = 0 } = failure;
  const shift = startLine === 1 ? OPEN.length : 0;
  const offset = source.offset(startLine, Math.max(0, startColumn - shift) + 1);
  const unsupported = code === "UnsupportedSyntax" || /'import', and 'export'|'with' statement/.test(message);
  return unsupported
    ? source.error("ANALYZER_UNSUPPORTED_SYNTAX", inOurWords(message), { offset: offset })
    : source.error("ANALYZER_SYNTAX", `${message.replace(/\.$/, "")}. Correct the syntax`, { offset: offset });
}

/** What is wrong with the code comes as a plain object with a code; an overflow or a trap does not. */
function isSyntaxFailure(failure: unknown): failure is StripFailure {
  return !isStackOverflow(failure) && typeof (failure as StripFailure | null)?.code === "string";
}

/** A trap leaves the module's own stack where it stopped; every later call would trap too. A new instance costs 30 ms. */
function discardStripper(): void {
  loaded = undefined;
  if (require) delete require.cache[require.resolve(MODULE)];
}

function inOurWords(message: string): string {
  if (/import/.test(message)) return "Code cannot import or export. Call tools as mcp.server.tool(…) instead";
  if (message.includes("'with' statement")) return "Code cannot use with. Name the object where it is used";
  const what = /TypeScript (.+?) is not supported/.exec(message)?.[1];
  if (what === undefined)
    return "This TypeScript is more than types that can be left out. Write it as plain JavaScript";
  return `TypeScript ${what} is more than types that can be left out. Use a plain object or a constant instead`;
}
