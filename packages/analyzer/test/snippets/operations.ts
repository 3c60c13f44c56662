import type { Snippet } from "./snippet.js";

/** Operations that only compute are tasks of their own, with what they are made of. */
export const OPERATIONS: readonly Snippet[] = [
  [
    "a filter over a result",
    `const { files } = await mcp.fs.list({ path });
     const old = files.filter((file) => file.age > 30);
     await mcp.log.write({ old });`,
    `n1 fs:list path=$path
     n2 code:filter files=n1.files
     n3 log:write old=n2
     n1 > n2
     n2 > n3
     n1 => n2
     n2 => n3
     path: string`,
  ],
  [
    "a chain of operations",
    `const names = items.filter((item) => item.ok).map((item) => item.name).join(", ");
     await mcp.log.write({ names });`,
    `n1 code:filter items=$items
     n2 code:map n1=n1
     n3 code:join n2=n2
     n4 log:write names=n3
     n1 > n2
     n2 > n3
     n3 > n4
     n1 => n2
     n2 => n3
     n3 => n4
     items`,
  ],
  [
    "JSON both ways",
    `const raw = await mcp.fs.read({ path });
     const data = JSON.parse(raw.text);
     await mcp.fs.write({ path, content: JSON.stringify(data, null, 2) });`,
    `n1 fs:read path=$path
     n2 code:JSON.parse raw=n1
     n3 code:JSON.stringify data=n2
     n4 fs:write path=$path content=n3
     n1 > n2
     n2 > n3
     n3 > n4
     n1 => n2
     n2 => n3
     n3 => n4
     path: string`,
  ],
  [
    "Math and Object",
    `const { sizes } = await mcp.fs.stat({ path });
     await mcp.log.write({ most: Math.max(...sizes), names: Object.keys(sizes) });`,
    `n1 fs:stat path=$path
     n2 code:Math.max sizes=n1.sizes
     n3 code:Object.keys sizes=n1.sizes
     n4 log:write most=n2 names=n3
     n1 > n2
     n2 > n3
     n3 > n4
     n1 => n2
     n1 => n3
     n2 => n4
     n3 => n4
     path: string`,
  ],
  [
    "strings",
    `await mcp.fs.read({ path: name.trim().toLowerCase() });`,
    `n1 code:trim name=$name
     n2 code:toLowerCase n1=n1
     n3 fs:read path=n2
     n1 > n2
     n2 > n3
     n1 => n2
     n2 => n3
     name`,
  ],
  [
    "functions of the language",
    `await mcp.api.list({ limit: Number(args.limit), cursor: encodeURIComponent(args.cursor) });`,
    `n1 code:Number args=$*
     n2 code:encodeURIComponent args=$*
     n3 api:list limit=n1 cursor=n2
     n1 > n2
     n2 > n3
     n1 => n3
     n2 => n3
     limit
     cursor`,
  ],
  [
    "an operation on a literal",
    `await mcp.fs.read({ path: "A.TXT".toLowerCase() });`,
    `n1 code:toLowerCase
     n2 fs:read path=n1
     n1 > n2
     n1 => n2`,
  ],
  [
    "a callback by name",
    `const isOld = (file) => file.age > limit;
     return files.filter(isOld);`,
    `n1 code:filter files=$files
     files
     limit`,
  ],
  [
    "a callback that uses a result depends on it",
    `const { min } = await mcp.api.fetch({});
     return items.filter((item) => item.size > min);`,
    `n1 api:fetch
     n2 code:filter items=$items min=n1.min
     n1 > n2
     n1 => n2
     items`,
  ],
  [
    "sort and reduce",
    `const rows = await mcp.db.query({ sql });
     const top = rows.sort((a, b) => b.n - a.n)[0];
     const sum = rows.reduce((total, row) => total + row.n, 0);
     await mcp.db.write({ top, sum });`,
    `n1 db:query sql=$sql
     n2 code:sort rows=(rows)<n1>
     n3 code:reduce rows=(rows)<n1>
     n4 db:write top=n2.0 sum=n3
     n1 > n2
     n2 > n3
     n3 > n4
     n1 => n2
     n1 => n3
     n2 => n4
     n3 => n4
     sql: string`,
  ],
  [
    "an operation under a condition",
    `if (raw) return JSON.parse(raw);
     return null;`,
    `d1 if raw
     n1 code:JSON.parse raw=$raw
     d1 -true> n1
     raw?`,
  ],
  [
    "an operation in a condition",
    `if (items.some((item) => item.late)) await mcp.log.write({});`,
    `n1 code:some items=$items
     d1 if items.some((item) => item.late)
     n2 log:write
     n1 > d1
     d1 -true> n2
     items`,
  ],
  [
    "an operation in a template",
    `await mcp.http.post({ url: \`\${host}/\${name.trim()}\` });`,
    `n1 code:trim name=$name
     n2 http:post url=(\`\${host}/\${name.trim()}\`)<n1 $host>
     n1 > n2
     n1 => n2
     host
     name`,
  ],
  [
    "an operation with optional chaining",
    `const file = await mcp.fs.read({ path });
     return file.text?.split("\\n");`,
    `n1 fs:read path=$path
     n2 code:split file=n1
     n1 > n2
     n1 => n2
     path: string`,
  ],
  [
    "Array.from and Array.isArray without tools",
    `return Array.isArray(items) ? Array.from(items, (item) => item.id) : [];`,
    `n1 code:Array.isArray items=$items
     d1 ternary Array.isArray(items)
     n2 code:Array.from items=$items
     n1 > d1
     d1 -true> n2
     items`,
  ],
  [
    "a regular expression",
    `const text = await mcp.fs.read({ path });
     const hit = /v(\\d+)/.exec(text);
     await mcp.log.write({ version: hit[1] });`,
    `n1 fs:read path=$path
     n2 code:exec text=n1
     n3 log:write version=n2.1
     n1 > n2
     n2 > n3
     n1 => n2
     n2 => n3
     path: string`,
  ],
  [
    "an operation on what a loop walks over stands inside it",
    `for (const line of lines) await mcp.db.write({ row: line.split(",") });`,
    `l1 for-of lines
     n1 code:split line=l1
     n2 db:write row=n1
     l1 [n1
     l1 [n2
     n1 > n2
     n1 => n2
     lines`,
  ],
];
