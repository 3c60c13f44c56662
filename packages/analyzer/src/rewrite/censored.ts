import type { AnyNode, Program } from "acorn";
import { full } from "acorn-walk";

import type { Parsed } from "../parse/parse.js";
import type { Edits } from "./edits.js";

/**
 * SES refuses source text that looks like an HTML comment, a dynamic import or a direct eval, wherever it stands, also
 * inside strings and comments.
 */
const SUSPICIOUS = /<!--|-->|\bimport\s*(?=\(|\/[/*])|\beval\s*(?=\()/g;

interface Spelling {
  readonly inText: string;
  /** Absent where it cannot be said otherwise. */
  readonly inCode?: string;
}

/** Spells what would be refused in another way that means the same. */
export function censor(edits: Edits, { code, program, comments }: Pick<Parsed, "code" | "program" | "comments">): void {
  if (code.text.search(SUSPICIOUS) === -1) return;
  for (const { start, end } of comments)
    edits.replace({ start, end }, code.text.slice(start, end).replaceAll(/\S/g, " "));
  const { plain, raw } = listTexts(program);
  for (const match of code.text.matchAll(SUSPICIOUS)) {
    const at = match.index;
    const holds = ({ start, end }: { start: number; end: number }): boolean => start <= at && at < end;
    if (comments.some(holds)) continue;
    const { inText, inCode } = respell(match[0]);
    const spelling = plain.some(holds) ? inText : raw.some(holds) ? undefined : inCode;
    if (spelling === undefined) {
      const message = `${JSON.stringify(match[0])} cannot stand here. Write it another way`;
      throw code.error("ANALYZER_UNSUPPORTED_SYNTAX", message, { offset: at });
    }
    edits.replace({ start: at, end: at + match[0].length }, spelling);
  }
}

function respell(what: string): Spelling {
  if (what === "<!--") return { inText: String.raw`<\x21--`, inCode: "< !--" };
  if (what === "-->") return { inText: String.raw`-\x2d>`, inCode: "-- >" };
  const isImport = what.startsWith("import");
  return { inText: isImport ? String.raw`impor\x74${what.slice(6)}` : String.raw`eva\x6c${what.slice(4)}` };
}

/** Where an escape means the character it stands for, and where a tag sees it as it is written. */
function listTexts(program: Program): { plain: AnyNode[]; raw: AnyNode[] } {
  const plain: AnyNode[] = [];
  const raw: AnyNode[] = [];
  full(program, (found) => {
    const node = found as AnyNode;
    if (node.type === "Literal" && (typeof node.value === "string" || node.regex)) plain.push(node);
    if (node.type === "TemplateLiteral") plain.push(...node.quasis);
    if (node.type === "TaggedTemplateExpression") raw.push(...node.quasi.quasis);
  });
  return { plain: plain.filter((node) => !raw.includes(node)), raw };
}
