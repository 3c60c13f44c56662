import type { Snippet } from "./snippet.js";

/** Functions as values: given, made, kept, or never called. */
export const FUNCTION_VALUES: readonly Snippet[] = [
  [
    "a helper that is given what to do",
    `const retry = async (work) => {
       await mcp.log.write({});
       return await work();
     };
     const text = await retry(async () => await mcp.fs.read({ path }));
     await mcp.db.write({ text });`,
    `n1 log:write
     n2 fs:read path=$path
     n3 db:write text=n2
     n1 > n2
     n2 > n3
     n2 => n3
     path: string`,
  ],
  [
    "a tool given to a helper",
    `const apply = async (tool, path) => await tool({ path });
     await apply(mcp.fs.read, args.a);
     await apply(mcp.fs.delete, args.b);`,
    `n1 fs:read path=$a
     n2 fs:delete path=$b
     n1 > n2
     a: string
     b: string`,
  ],
  [
    "a helper that makes a helper",
    `const reader = (encoding) => async (path) => await mcp.fs.read({ path, encoding });
     const read = reader("utf8");
     await read(args.path);`,
    `n1 fs:read path=$path encoding="utf8"
     path: string
     encoding? = "utf8": string`,
  ],
  [
    "functions in an object",
    `const files = {
       read: async (path) => await mcp.fs.read({ path }),
       async remove(path) {
         await mcp.fs.delete({ path });
       },
     };
     await files.read(args.a);
     await files.remove(args.b);`,
    `n1 fs:read path=$a
     n2 fs:delete path=$b
     n1 > n2
     a: string
     b: string`,
  ],
  [
    "a function that nobody calls may still be called",
    `const remove = async () => await mcp.fs.delete({ path });
     await mcp.log.write({});
     return { remove };`,
    `n1 log:write
     l1 deferred
     n2 fs:delete path=$path
     l1 [n2
     path: string`,
  ],
  [
    "a function that is declared and never used does nothing",
    `async function remove() {
       await mcp.fs.delete({ path });
     }
     await mcp.log.write({});`,
    `n1 log:write`,
  ],
  [
    "a function that is called at once",
    `const text = await (async () => {
       const raw = await mcp.fs.read({ path });
       return await mcp.json.parse({ json: raw });
     })();
     await mcp.log.write({ text });`,
    `n1 fs:read path=$path
     n2 json:parse json=n1
     n3 log:write text=n2
     n1 > n2
     n2 > n3
     n1 => n2
     n2 => n3
     path: string`,
  ],
  [
    "a generator's calls are not lost",
    `async function* pages() {
       yield await mcp.api.list({});
     }
     for await (const page of pages()) await mcp.log.write({});`,
    `n1 api:list
     l1 for-await pages()
     n2 log:write
     n1 > l1
     l1 [n2`,
  ],
  [
    "a method of a class may be called any number of times",
    `class Counter {
       async next() {
         return await mcp.db.write({});
       }
     }
     const counter = new Counter();
     await counter.next();`,
    `l1 deferred
     n1 db:write
     l1 [n1`,
  ],
  [
    "a getter that calls",
    `const lazy = {
       get text() {
         return mcp.fs.read({ path });
       },
     };
     await lazy.text;`,
    `l1 deferred
     n1 fs:read path=$path
     l1 [n1
     path: string`,
  ],
  [
    "a helper stored in a list",
    `const steps = [async () => await mcp.fs.create({ path }), async () => await mcp.fs.delete({ path })];
     for (const step of steps) await step();`,
    `l1 deferred
     n1 fs:create path=$path
     l2 deferred
     n2 fs:delete path=$path
     l1 [n1
     l2 [n2
     path: string`,
  ],
  [
    "a helper picked by a condition may be either",
    `const save = dry ? async () => await mcp.log.write({}) : async () => await mcp.db.write({});
     await save();`,
    `d1 ternary dry
     l1 deferred
     n1 log:write
     l2 deferred
     n2 db:write
     d1 -true> l1
     l1 [n1
     d1 -false> l2
     l2 [n2
     dry?`,
  ],
  [
    "a helper by another name",
    `const load = async (path) => await mcp.fs.read({ path });
     const again = load;
     await again(args.path);`,
    `n1 fs:read path=$path
     path: string`,
  ],
];
