import type { Snippet } from "./snippet.js";

/** What code needs from its caller, and literals that become defaults. */
export const PARAMETERS: readonly Snippet[] = [
  [
    "args and context are the same object",
    `await mcp.fs.read({ path: args.path });
     await mcp.fs.stat({ path: context.path });`,
    `n1 fs:read path=$path
     n2 fs:stat path=$path
     n1 > n2
     path: string`,
  ],
  [
    "a free name is a parameter",
    `await mcp.fs.read({ path: target });`,
    `n1 fs:read path=$target
     target: string`,
  ],
  [
    "a free name and args of the same name are one",
    `await mcp.fs.read({ path });
     await mcp.fs.stat({ path: args.path });`,
    `n1 fs:read path=$path
     n2 fs:stat path=$path
     n1 > n2
     path: string`,
  ],
  [
    "a default from destructuring",
    `const { path, limit = 10 } = args;
     await mcp.db.query({ sql: path, limit });`,
    `n1 db:query sql=$path limit=$limit
     path: string
     limit? = 10: integer`,
  ],
  [
    "destructuring with a new name",
    `const { file: path } = context;
     await mcp.fs.read({ path });`,
    `n1 fs:read path=$file
     file: string`,
  ],
  [
    "args.x ?? 10 is a parameter with a default",
    `await mcp.db.query({ sql, limit: args.limit ?? 10 });`,
    `n1 db:query sql=$sql limit=$limit
     sql: string
     limit? = 10: integer`,
  ],
  [
    "optional chaining makes a parameter optional",
    `await mcp.log.write({ name: args.user?.name });`,
    `n1 log:write name=$user.name
     user?`,
  ],
  [
    "a nested path of a parameter",
    `await mcp.fs.read({ path: args.user.home.path });`,
    `n1 fs:read path=$user.home.path
     user: object`,
  ],
  [
    "destructuring deep into args",
    `const { user: { name } } = args;
     await mcp.log.write({ name });`,
    `n1 log:write name=$user.name
     user`,
  ],
  [
    "all of args handed to a tool must be what the tool takes",
    `await mcp.fs.write(args);`,
    `n1 fs:write ...$*
     path?: string
     content?: string`,
  ],
  [
    "all of args handed to a tool that says nothing",
    `await mcp.api.fetch(args);`,
    `n1 api:fetch ...$*
     ...`,
  ],
  [
    "args spread among other fields",
    `await mcp.fs.write({ ...args, content });`,
    `n1 fs:write content=$content ...$*
     path?: string
     content: string`,
  ],
  [
    "a type from two fields that differ is both",
    `await mcp.db.query({ sql: value, limit: value });`,
    `n1 db:query sql=$value limit=$value
     value: string,integer`,
  ],
  [
    "a type where the tool has no schema is unknown",
    `await mcp.api.fetch({ url });`,
    `n1 api:fetch url=$url
     url`,
  ],
  [
    "a type from a capability",
    `await capabilities.fs.read_json({ path: file });`,
    `n1 cap fs:read_json path=$file
     file: string`,
  ],
  [
    "a parameter that is only computed with",
    `return a + b;`,
    `a
     b`,
  ],
  [
    "a parameter that is asked for is optional",
    `if (args.verbose) await mcp.log.write({});`,
    `d1 if args.verbose
     n1 log:write
     d1 -true> n1
     verbose?`,
  ],
  [
    "a parameter used in a callback is needed",
    `const found = await mcp.fs.list({ path });
     return found.filter((file) => file.size > min);`,
    `n1 fs:list path=$path
     n2 code:filter found=n1 min=$min
     n1 > n2
     n1 => n2
     path: string
     min`,
  ],
  [
    "literals of the same field and value are one parameter",
    `await mcp.fs.read({ path: "a.txt" });
     await mcp.fs.delete({ path: "a.txt" });`,
    `n1 fs:read path="a.txt"
     n2 fs:delete path="a.txt"
     n1 > n2
     path? = "a.txt": string`,
  ],
  [
    "literals of the same field and other values are numbered",
    `await mcp.fs.read({ path: "a.txt" });
     await mcp.fs.read({ path: "b.txt" });
     await mcp.fs.read({ path: "c.txt" });`,
    `n1 fs:read path="a.txt"
     n2 fs:read path="b.txt"
     n3 fs:read path="c.txt"
     n1 > n2
     n2 > n3
     path? = "a.txt": string
     path2? = "b.txt": string
     path3? = "c.txt": string`,
  ],
  [
    "a literal does not take the name of an input",
    `await mcp.fs.read({ path });
     await mcp.fs.read({ path: "b.txt" });`,
    `n1 fs:read path=$path
     n2 fs:read path="b.txt"
     n1 > n2
     path: string
     path2? = "b.txt": string`,
  ],
  [
    "a constant used twice is one parameter",
    `const path = "a.txt";
     await mcp.fs.stat({ path });
     await mcp.fs.read({ path });`,
    `n1 fs:stat path="a.txt"
     n2 fs:read path="a.txt"
     n1 > n2
     path? = "a.txt": string`,
  ],
  [
    "constants of the logic are not lifted",
    `const files = await mcp.fs.list({ path });
     if (files.length > 3) await mcp.log.write({});
     const some = files.slice(0, 2);`,
    `n1 fs:list path=$path
     d1 if files.length > 3
     n2 log:write
     n3 code:slice files=n1
     n1 > d1
     d1 -true> n2
     n2 > n3
     d1 -false> n3
     n1 => n3
     path: string`,
  ],
  [
    "literals within expressions are not lifted",
    `await mcp.http.post({ url: "https://" + host + "/items" });`,
    `n1 http:post url=("https://" + host + "/items")<$host>
     host`,
  ],
  [
    "a lifted literal takes the tool's type",
    `await mcp.db.query({ sql: "select 1", limit: 5 });`,
    `n1 db:query sql="select 1" limit=5
     sql? = "select 1": string
     limit? = 5: integer`,
  ],
  [
    "a literal is lifted from a callback and a helper",
    `const load = async () => await mcp.fs.read({ path: "a.txt" });
     await load();
     await load();`,
    `n1 fs:read path="a.txt"
     n2 fs:read path="a.txt"
     n1 > n2
     path? = "a.txt": string`,
  ],
  [
    "nothing is lifted when all of args is handed on",
    `await mcp.api.fetch(args);
     await mcp.fs.read({ path: "a.txt" });`,
    `n1 api:fetch ...$*
     n2 fs:read path="a.txt"
     n1 > n2
     ...`,
  ],
  [
    "literals are lifted to context where args is taken",
    `const args = { n: 1 };
     await mcp.fs.read({ path: "a.txt" });`,
    `n1 fs:read path="a.txt"
     path? = "a.txt": string`,
  ],
  [
    "names of the language are no parameters",
    `await mcp.db.write({ at: new Date().getTime(), n: NaN, id: globalThis.x, log: console.log(1) });`,
    `n1 code:getTime
     n2 db:write at=n1 n=(NaN)<> id=(globalThis.x)<> log=(console.log(1))<>
     n1 > n2
     n1 => n2`,
  ],
  [
    "a name that is declared is no parameter",
    `const path = (await mcp.fs.list({ path: "." }))[0];
     await mcp.fs.read({ path });`,
    `n1 fs:list path="."
     n2 fs:read path=n1.0
     n1 > n2
     n1 => n2
     path? = ".": string`,
  ],
];
