import type { Snippet } from "./snippet.js";

/** Arguments made of what other calls gave, in whole, in part, or within an expression. */
export const REFERENCES: readonly Snippet[] = [
  [
    "a result handed on as a whole",
    `const row = await mcp.db.query({ sql });
     await mcp.db.write(row);`,
    `n1 db:query sql=$sql
     n2 db:write ...n1
     n1 > n2
     n1 => n2
     sql: string`,
  ],
  [
    "a reference with a path",
    `const file = await mcp.fs.stat({ path });
     await mcp.log.write({ size: file.meta.size, first: file.parts[0].name });`,
    `n1 fs:stat path=$path
     n2 log:write size=n1.meta.size first=n1.parts.0.name
     n1 > n2
     n1 => n2
     path: string`,
  ],
  [
    "a reference without a name in between",
    `await mcp.log.write({ text: (await mcp.fs.read({ path })).text });`,
    `n1 fs:read path=$path
     n2 log:write text=n1.text
     n1 > n2
     n1 => n2
     path: string`,
  ],
  [
    "destructuring of a result",
    `const { text, meta: { size }, ...rest } = await mcp.fs.read({ path });
     await mcp.db.write({ text, size, rest });`,
    `n1 fs:read path=$path
     n2 db:write text=n1.text size=n1.meta.size rest=(rest)<n1>
     n1 > n2
     n1 => n2
     path: string`,
  ],
  [
    "destructuring with a new name and a default",
    `const { text: content = "" } = await mcp.fs.read({ path });
     await mcp.db.write({ content });`,
    `n1 fs:read path=$path
     n2 db:write content=(content)<n1>
     n1 > n2
     n1 => n2
     path: string`,
  ],
  [
    "destructuring of a list",
    `const [first, , third, ...others] = await mcp.fs.list({ path });
     await mcp.db.write({ first, third, others });`,
    `n1 fs:list path=$path
     n2 db:write first=n1.0 third=n1.2 others=(others)<n1>
     n1 > n2
     n1 => n2
     path: string`,
  ],
  [
    "destructuring in an assignment",
    `let text, size;
     ({ text, size } = await mcp.fs.read({ path }));
     await mcp.db.write({ text, size });`,
    `n1 fs:read path=$path
     n2 db:write text=n1.text size=n1.size
     n1 > n2
     n1 => n2
     path: string`,
  ],
  [
    "two names change places",
    `let a = await mcp.fs.read({ path: left });
     let b = await mcp.fs.read({ path: right });
     [a, b] = [b, a];
     await mcp.db.write({ a, b });`,
    `n1 fs:read path=$left
     n2 fs:read path=$right
     n3 db:write a=n2 b=n1
     n1 > n2
     n2 > n3
     n2 => n3
     n1 => n3
     left: string
     right: string`,
  ],
  [
    "a template string is an expression of its parts",
    `const { id } = await mcp.api.fetch({});
     await mcp.http.post({ url: \`\${host}/items/\${id}\` });`,
    `n1 api:fetch
     n2 http:post url=(\`\${host}/items/\${id}\`)<n1 $host>
     n1 > n2
     n1 => n2
     host`,
  ],
  [
    "arithmetic is an expression of its parts",
    `const { total } = await mcp.db.query({ sql });
     await mcp.db.query({ sql, limit: total * 2 + offset });`,
    `n1 db:query sql=$sql
     n2 db:query sql=$sql limit=(total * 2 + offset)<n1 $offset>
     n1 > n2
     n1 => n2
     sql: string
     offset`,
  ],
  [
    "optional chaining keeps the path",
    `const user = await mcp.api.fetch({});
     await mcp.log.write({ name: user?.profile?.name });`,
    `n1 api:fetch
     n2 log:write name=n1.profile.name
     n1 > n2
     n1 => n2`,
  ],
  [
    "a member by a constant key is a path",
    `const key = "size";
     const file = await mcp.fs.stat({ path });
     await mcp.log.write({ size: file[key], name: file["full-name"] });`,
    `n1 fs:stat path=$path
     n2 log:write size=n1.size name=n1.full-name
     n1 > n2
     n1 => n2
     path: string`,
  ],
  [
    "an object that is changed in place is no literal",
    `const body = { n: 1 };
     body.n = await mcp.api.fetch({});
     await mcp.http.post({ url, body });`,
    `n1 api:fetch
     n2 http:post url=$url body=(body)<n1>
     n1 > n2
     n1 => n2
     url: string`,
  ],
  [
    "a condition as a value",
    `const file = await mcp.fs.stat({ path });
     await mcp.log.write({ big: file.size > 10, missing: !file.exists });`,
    `n1 fs:stat path=$path
     n2 log:write big=(file.size > 10)<n1> missing=(!file.exists)<n1>
     n1 > n2
     n1 => n2
     path: string`,
  ],
  [
    "a whole list of results",
    `const a = await mcp.fs.read({ path });
     const b = await mcp.api.fetch({});
     await mcp.db.write({ all: [a, b.text] });`,
    `n1 fs:read path=$path
     n2 api:fetch
     n3 db:write all=([a, b.text])<n1 n2>
     n1 > n2
     n2 > n3
     n1 => n3
     n2 => n3
     path: string`,
  ],
  [
    "a spread result inside a list",
    `const rows = await mcp.db.query({ sql });
     await mcp.db.write({ rows: [...rows, last] });`,
    `n1 db:query sql=$sql
     n2 db:write rows=([...rows, last])<n1 $last>
     n1 > n2
     n1 => n2
     sql: string
     last`,
  ],
  [
    "a spread result is handed on with what is set beside it",
    `const row = await mcp.api.fetch({});
     await mcp.db.write({ ...row, seen: true });`,
    `n1 api:fetch
     n2 db:write seen=true ...n1
     n1 > n2
     n1 => n2
     seen? = true: boolean`,
  ],
];
