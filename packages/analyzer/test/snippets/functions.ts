import type { Snippet } from "./snippet.js";

/** Functions of the snippet are followed into, once for each call. */
export const FUNCTIONS: readonly Snippet[] = [
  [
    "a helper is inlined where it is called",
    `async function load(path) {
       return await mcp.fs.read({ path });
     }
     const text = await load("a.txt");
     await mcp.log.write({ text });`,
    `n1 fs:read path="a.txt"
     n2 log:write text=n1
     n1 > n2
     n1 => n2
     path? = "a.txt": string`,
  ],
  [
    "a helper called twice gives its nodes twice",
    `const load = async (path) => await mcp.fs.read({ path });
     const a = await load("a.txt");
     const b = await load("b.txt");
     await mcp.db.write({ a, b });`,
    `n1 fs:read path="a.txt"
     n2 fs:read path="b.txt"
     n3 db:write a=n1 b=n2
     n1 > n2
     n2 > n3
     n1 => n3
     n2 => n3
     path? = "a.txt": string
     path2? = "b.txt": string`,
  ],
  [
    "a helper may be called before it is declared",
    `await save(text);
     async function save(content) {
       await mcp.fs.write({ path, content });
     }`,
    `n1 fs:write path=$path content=$text
     text: string
     path: string`,
  ],
  [
    "a helper that calls a helper",
    `const read = async (path) => await mcp.fs.read({ path });
     const parse = async (path) => await mcp.json.parse({ json: await read(path) });
     await parse(args.path);`,
    `n1 fs:read path=$path
     n2 json:parse json=n1
     n1 > n2
     n1 => n2
     path: string`,
  ],
  [
    "a helper declared inside a helper",
    `async function run(path) {
       const read = async () => await mcp.fs.read({ path });
       return await read();
     }
     await run(args.path);`,
    `n1 fs:read path=$path
     path: string`,
  ],
  [
    "a helper sees what its surroundings hold when it is called",
    `let path = "a.txt";
     const read = async () => await mcp.fs.read({ path });
     await read();
     path = "b.txt";
     await read();`,
    `n1 fs:read path="a.txt"
     n2 fs:read path="b.txt"
     n1 > n2
     path? = "a.txt": string
     path2? = "b.txt": string`,
  ],
  [
    "a default of a helper's parameter stands in for what is not given",
    `const list = async (limit = 10) => await mcp.api.list({ limit });
     await list();`,
    `n1 api:list limit=10
     limit? = 10: number`,
  ],
  [
    "what is given wins over a helper's default",
    `const list = async (limit = 10) => await mcp.api.list({ limit });
     await list(args.max);`,
    `n1 api:list limit=$max
     max? = 10: number`,
  ],
  [
    "a helper with rest parameters",
    `const log = async (level, ...parts) => await mcp.log.write({ level, parts });
     await log("info", a, b);`,
    `n1 log:write level="info" parts=(parts)<$a $b>
     a
     b
     level? = "info": string`,
  ],
  [
    "functions that call each other are a loop",
    `async function even(n) {
       await mcp.log.write({});
       if (n > 0) await odd(n - 1);
     }
     async function odd(n) {
       await mcp.db.write({});
       if (n > 0) await even(n - 1);
     }
     await even(4);`,
    `l1 recursion even
     n1 log:write
     d1 if n > 0
     l2 recursion odd
     n2 db:write
     d2 if n > 0
     l1 [n1
     l1 [d1
     n1 > d1
     l1 [l2
     d1 -true> l2
     l2 [n2
     l2 [d2
     n2 > d2`,
  ],
  [
    "a helper that only computes adds no node for itself",
    `const double = (n) => n * 2;
     await mcp.api.list({ limit: double(args.limit) });`,
    `n1 api:list limit=(double(args.limit))<$limit>
     limit`,
  ],
  [
    "a helper called on one side only",
    `const save = async (data) => await mcp.db.write({ data });
     if (flag) await save(1);
     else await mcp.log.write({});`,
    `d1 if flag
     n1 db:write data=1
     n2 log:write
     d1 -true> n1
     d1 -false> n2
     flag?
     data? = 1: number`,
  ],
  [
    "arguments of a call are evaluated before it",
    `await mcp.db.write({ text: await mcp.fs.read({ path }), page: await mcp.api.fetch({}) });`,
    `n1 fs:read path=$path
     n2 api:fetch
     n3 db:write text=n1 page=n2
     n1 > n2
     n2 > n3
     n1 => n3
     n2 => n3
     path: string`,
  ],
  [
    "recursion is a loop",
    `async function poll() {
       const job = await mcp.api.fetch({});
       if (!job.done) return await poll();
       return job;
     }
     await poll();
     await mcp.log.write({});`,
    `l1 recursion poll
     n1 api:fetch
     d1 if !job.done
     n2 log:write
     l1 [n1
     l1 [d1
     n1 > d1
     l1 > n2`,
  ],
];
