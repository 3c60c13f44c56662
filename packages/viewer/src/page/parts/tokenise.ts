type TokenKind = "comment" | "text" | "number" | "keyword" | "call" | "plain";

export interface Token {
  kind: TokenKind;
  text: string;
}

const KEYWORDS = new Set(
  `as async await break case catch class const continue default delete do else export extends false finally for from
   function if import in instanceof interface let new null of return static super switch this throw true try type typeof
   undefined var void while yield`.split(/\s+/),
);

/** Each alternative cannot match twice at one place, so that no text takes long. */
const TOKEN =
  /(?<comment>\/\/[^\n]*|\/\*[^]*?(?:\*\/|$))|(?<text>"(?:[^"\\\n]|\\[^])*"?|'(?:[^'\\\n]|\\[^])*'?|`(?:[^`\\]|\\[^])*`?)|(?<number>\b\d[\w.]*)|(?<word>[\p{L}_$][\p{L}\p{N}_$]*)|(?<plain>[^])/gu;

/** JavaScript in pieces to be coloured. Joined again, they are the code. */
export function tokenise(code: string): Token[] {
  const tokens: Token[] = [];
  for (const { 0: text, groups = {} } of code.matchAll(TOKEN)) {
    const kind = kindOf(text, groups);
    const last = tokens.at(-1);
    if (last !== undefined && last.kind === kind) last.text += text;
    else tokens.push({ kind, text });
  }
  return tokens;
}

function kindOf(text: string, groups: Record<string, string | undefined>): TokenKind {
  if (groups["comment"] !== undefined) return "comment";
  if (groups["text"] !== undefined) return "text";
  if (groups["number"] !== undefined) return "number";
  if (text === "mcp" || text === "capabilities") return "call";
  return KEYWORDS.has(text) ? "keyword" : "plain";
}
