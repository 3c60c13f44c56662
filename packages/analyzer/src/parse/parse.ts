import type { Comment, Options, Program } from "acorn";

import { type AnalyzerError, isStackOverflow } from "../error.js";
import { QuickParser } from "./parser.js";
import { SourceText } from "./source-text.js";
import type { StripTypes } from "./strip-types.js";

export interface Parsed {
  /** As the agent wrote it. */
  readonly source: SourceText;
  /** The same length and lines, types replaced by spaces. */
  readonly code: SourceText;
  readonly program: Program;
  readonly comments: readonly Comment[];
}

/** `f<T>(x)` is a pair of comparisons to a JavaScript parser, so code that could hold one is stripped first. */
const MAY_CALL_WITH_TYPES = /[^=]>\s*[(`]/;

export function parse(text: string, stripTypes: StripTypes): Parsed {
  const source = new SourceText(text);
  if (text.trim() === "") throw source.error("ANALYZER_SYNTAX", "There is no code to analyse", { offset: 0 });
  if (!MAY_CALL_WITH_TYPES.test(text)) {
    try {
      return { source, code: source, ...parseCode(source) };
    } catch (error) {
      if (isStackOverflow(error)) throw tooDeep(source, error);
      if (isAboutWith(error)) throw syntaxError(source, error);
      // It may still be TypeScript.
    }
  }
  const code = new SourceText(stripTypes(source));
  try {
    return { source, code, ...parseCode(code) };
  } catch (error) {
    throw syntaxError(source, error);
  }
}

export function tooDeep(source: SourceText, cause: unknown): AnalyzerError {
  const message = "The code nests too deeply to be analysed. Split it into functions";
  return source.error("ANALYZER_TOO_DEEP", message, { offset: source.deepest(), cause });
}

function isAboutWith(error: unknown): boolean {
  return (error as Error).message.startsWith("'with'");
}

function parseCode(code: SourceText): { program: Program; comments: Comment[] } {
  const comments: Comment[] = [];
  const options: Options = {
    ecmaVersion: 2024,
    sourceType: "module",
    allowReturnOutsideFunction: true,
    allowAwaitOutsideFunction: true,
    allowHashBang: false,
    onComment: comments,
  };
  return { program: QuickParser.parse(code.text, options), comments };
}

function syntaxError(source: SourceText, error: unknown): AnalyzerError {
  if (isStackOverflow(error)) return tooDeep(source, error);
  const { message, pos = 0 } = error as SyntaxError & { pos?: number };
  if (isAboutWith(error)) {
    return source.error("ANALYZER_UNSUPPORTED_SYNTAX", "Code cannot use with. Name the object where it is used", {
      offset: pos,
    });
  }
  return source.error("ANALYZER_SYNTAX", `${message.replace(/ \(\d+:\d+\)$/, "")}. Correct the syntax`, {
    offset: pos,
  });
}
