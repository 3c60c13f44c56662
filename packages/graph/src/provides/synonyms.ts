/**
 * Words that name the same thing in the fields of tools. The first of a row stands for it. General English and the
 * vocabulary of programs; nothing here comes from any one set of tools.
 */
const ROWS: readonly (readonly string[])[] = [
  ["id", "identifier", "uid", "uuid", "guid", "key", "ref", "reference"],
  ["content", "text", "body", "message", "json", "xml", "html", "yaml", "markdown", "payload", "raw", "string"],
  ["data", "value", "result", "response", "object", "record", "document", "item"],
  ["url", "uri", "link", "href", "address", "endpoint"],
  ["path", "file", "filename", "filepath", "directory", "folder", "dir"],
  ["name", "title", "label"],
  ["query", "search", "term", "keyword", "question"],
  ["location", "place", "city", "destination", "region", "area"],
  ["date", "day"],
  ["time", "timestamp", "datetime"],
  ["user", "account", "member", "customer", "client"],
  ["price", "cost", "fare", "amount", "payment", "fee", "salary", "charge", "tax"],
  ["lat", "latitude"],
  ["lon", "lng", "longitude"],
  ["image", "picture", "photo", "img"],
  ["person", "people"],
  ["email", "mail"],
  ["number", "count", "total", "quantity", "num"],
  ["info", "information", "detail", "description", "summary"],
  ["language", "lang", "locale"],
];

const CANONICAL = new Map(ROWS.flatMap((row) => row.map((word) => [word, row[0] as string] as const)));

/** One spelling for words that name the same thing. */
export function canonicalWord(word: string): string {
  return CANONICAL.get(word) ?? word;
}

/** Names that say that something is handed on, not what it is. */
export const GENERIC: ReadonlySet<string> = new Set(["content", "data"]);
