import type { Snippet } from "./snippet.js";

/** What each field of a call is filled with. */
export const ARGUMENTS: readonly Snippet[] = [
  [
    "literals of every kind",
    `await mcp.db.write({ text: "a", count: 3, ok: true, none: null, list: [1, 2] });`,
    `n1 db:write text="a" count=3 ok=true none=null list=[1,2]
     text? = "a": string
     count? = 3: number
     ok? = true: boolean
     none? = null: null
     list? = [1,2]: array`,
  ],
  [
    "negative numbers are literals",
    `await mcp.db.write({ offset: -5 });`,
    `n1 db:write offset=-5
     offset? = -5: number`,
  ],
  [
    "a template without parts is a literal",
    `await mcp.fs.read({ path: \`a.json\` });`,
    `n1 fs:read path="a.json"
     path? = "a.json": string`,
  ],
  [
    "a constant is followed to its literal",
    `const p = "a.json";
     await mcp.fs.read({ path: p });`,
    `n1 fs:read path="a.json"
     path? = "a.json": string`,
  ],
  [
    "a constant of a constant is followed too",
    `const file = "a.json";
     const target = file;
     await mcp.fs.read({ path: target });`,
    `n1 fs:read path="a.json"
     path? = "a.json": string`,
  ],
  [
    "a field of a constant object is followed",
    `const config = { path: "a.json", deep: { encoding: "utf8" } };
     await mcp.fs.read({ path: config.path, encoding: config.deep.encoding });`,
    `n1 fs:read path="a.json" encoding="utf8"
     path? = "a.json": string
     encoding? = "utf8": string`,
  ],
  [
    "an object built before the call",
    `const input = { path: "a.json", encoding };
     await mcp.fs.read(input);`,
    `n1 fs:read path="a.json" encoding=$encoding
     encoding: string
     path? = "a.json": string`,
  ],
  [
    "shorthand names the field and the value",
    `const path = "a.json";
     await mcp.fs.read({ path, encoding });`,
    `n1 fs:read path="a.json" encoding=$encoding
     encoding: string
     path? = "a.json": string`,
  ],
  [
    "a known object that is spread fills its fields",
    `const base = { path: "a.json" };
     await mcp.fs.read({ ...base, encoding: "utf8" });`,
    `n1 fs:read path="a.json" encoding="utf8"
     path? = "a.json": string
     encoding? = "utf8": string`,
  ],
  [
    "what stands after a spread wins",
    `const base = { path: "a.json", encoding: "utf8" };
     await mcp.fs.read({ ...base, path: other });`,
    `n1 fs:read path=$other encoding="utf8"
     other: string
     encoding? = "utf8": string`,
  ],
  [
    "an unknown object that is spread is kept as a part",
    `await mcp.db.write({ ...options, id: 1 });`,
    `n1 db:write id=1 ...$options
     options
     id? = 1: number`,
  ],
  [
    "what stands before an unknown spread may be overwritten",
    `await mcp.db.write({ id: 1, ...options });`,
    `n1 db:write id=(1)<$options> ...$options
     options`,
  ],
  [
    "nested objects keep their parts",
    `await mcp.http.post({ url, body: { user: { name }, tags: ["a", tag] } });`,
    `n1 http:post url=$url body=({ user: { name }, tags: ["a", tag] })<$name $tag>
     url: string
     name
     tag`,
  ],
  [
    "a nested object of literals is a literal",
    `await mcp.http.post({ url, body: { kind: "note", n: 1 } });`,
    `n1 http:post url=$url body={"kind":"note","n":1}
     url: string
     kind? = "note": string
     n? = 1: number`,
  ],
  ["no arguments at all", `await mcp.api.list();`, `n1 api:list`],
  [
    "an expression behind a constant is spelled out",
    `const url = "https://" + host;
     await mcp.http.post({ url });`,
    `n1 http:post url=("https://" + host)<$host>
     host`,
  ],
  [
    "a name assigned again holds what came last",
    `let path = "a.txt";
     path = args.path;
     await mcp.fs.read({ path });`,
    `n1 fs:read path=$path
     path: string`,
  ],
  [
    "a name assigned under a condition is no literal",
    `let path = "a.txt";
     if (args.other) path = "b.txt";
     await mcp.fs.read({ path });`,
    `d1 if args.other
     n1 fs:read path=(path)<>
     d1 -true> n1
     d1 -false> n1
     other?`,
  ],
  [
    "a name that is added to is no literal",
    `let path = "a";
     path += ".txt";
     await mcp.fs.read({ path });`,
    `n1 fs:read path=(path)<>`,
  ],
  [
    "a list that grows is no literal",
    `const tags = ["a"];
     tags.push(args.tag);
     await mcp.db.write({ tags });`,
    `n1 db:write tags=(tags)<$tag>
     tag`,
  ],
  [
    "functions, dates and patterns are expressions",
    `await mcp.db.write({ at: new Date(0), pattern: /a+/g, big: 10n });`,
    `n1 db:write at=(new Date(0))<> pattern=(/a+/g)<> big=(10n)<>`,
  ],
  ["undefined is an expression, not a literal", `await mcp.db.write({ a: undefined });`, `n1 db:write a=(undefined)<>`],
  [
    "a computed field name makes a part",
    `await mcp.db.write({ [field]: 1 });`,
    `n1 db:write ...([field]: 1)<$field>
     field`,
  ],
  [
    "a field name from a constant is known",
    `const field = "name";
     await mcp.db.write({ [field]: value });`,
    `n1 db:write name=$value
     value`,
  ],
  [
    "a number as a field name",
    `await mcp.db.write({ 1: a });`,
    `n1 db:write 1=$a
     a`,
  ],
  [
    "a field set twice keeps the last",
    `await mcp.db.write({ a: 1, a: 2 });`,
    `n1 db:write a=2
     a? = 2: number`,
  ],
];
