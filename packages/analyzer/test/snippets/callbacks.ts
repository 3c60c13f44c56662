import type { Snippet } from "./snippet.js";

/** Calls in callbacks of array methods are loops; tools may themselves be the callback. */
export const CALLBACKS: readonly Snippet[] = [
  [
    "map in Promise.all is a loop whose iterations overlap",
    `const texts = await Promise.all(paths.map(async (path) => mcp.fs.read({ path })));`,
    `f1 fork all
     l1 concurrent callback paths
     n1 fs:read path=l1
     j1 join all
     f1 > l1
     l1 [n1
     l1 > j1
     paths: array`,
  ],
  [
    "the results of a map are used as a whole",
    `const texts = await Promise.all(paths.map((path) => mcp.fs.read({ path })));
     await mcp.log.write({ texts });`,
    `f1 fork all
     l1 concurrent callback paths
     n1 fs:read path=l1
     j1 join all
     n2 log:write texts=l1
     f1 > l1
     l1 [n1
     l1 > j1
     j1 > n2
     n1 => n2
     paths: array`,
  ],
  [
    "a callback with several steps",
    `await Promise.all(
       ids.map(async (id) => {
         const item = await mcp.api.fetch({ id });
         await mcp.db.write({ item });
       }),
     );`,
    `f1 fork all
     l1 concurrent callback ids
     n1 api:fetch id=l1
     n2 db:write item=n1
     j1 join all
     f1 > l1
     l1 [n1
     l1 [n2
     n1 > n2
     l1 > j1
     n1 => n2
     ids`,
  ],
  [
    "a callback takes its element apart",
    `await Promise.all(files.map(({ path, text = "" }) => mcp.fs.write({ path, content: text })));`,
    `f1 fork all
     l1 concurrent callback files
     n1 fs:write path=l1.path content=(text)<l1>
     j1 join all
     f1 > l1
     l1 [n1
     l1 > j1
     files: array`,
  ],
  [
    "the index of a callback is not the element",
    `await Promise.all(items.map((item, index) => mcp.db.write({ item, index })));`,
    `f1 fork all
     l1 concurrent callback items
     n1 db:write item=l1 index=(index)<>
     j1 join all
     f1 > l1
     l1 [n1
     l1 > j1
     items`,
  ],
  [
    "a tool itself as the callback",
    `await Promise.all(inputs.map(mcp.api.fetch));`,
    `f1 fork all
     l1 concurrent callback inputs
     n1 api:fetch ...l1
     j1 join all
     f1 > l1
     l1 [n1
     l1 > j1
     inputs`,
  ],
  [
    "a named helper as the callback",
    `const load = async (path) => mcp.fs.read({ path });
     await Promise.all(paths.map(load));`,
    `f1 fork all
     l1 concurrent callback paths
     n1 fs:read path=l1
     j1 join all
     f1 > l1
     l1 [n1
     l1 > j1
     paths: array`,
  ],
  [
    "map over a result, then a map over that",
    `const { files } = await mcp.fs.list({ path });
     const texts = await Promise.all(files.map((file) => mcp.fs.read({ path: file })));
     await Promise.all(texts.map((text) => mcp.json.parse({ json: text })));`,
    `n1 fs:list path=$path
     f1 fork all
     l1 concurrent callback files
     n2 fs:read path=l1
     j1 join all
     f2 fork all
     l2 concurrent callback texts
     n3 json:parse json=l2
     j2 join all
     n1 > f1
     f1 > l1
     l1 [n2
     l1 > j1
     j1 > f2
     f2 > l2
     l2 [n3
     l2 > j2
     n1 => n2
     n2 => n3
     path: string`,
  ],
  [
    "a filter before the map is an operation",
    `await Promise.all(files.filter((file) => file.ok).map((file) => mcp.fs.read({ path: file.path })));`,
    `f1 fork all
     n1 code:filter files=$files
     l1 concurrent callback files.filter((file) => file.ok)
     n2 fs:read path=l1.path
     j1 join all
     f1 > n1
     n1 > l1
     l1 [n2
     l1 > j1
     n1 => n2
     files`,
  ],
  [
    "forEach with an async callback is started and never waited for",
    `items.forEach(async (item) => {
       await mcp.db.write({ item });
     });
     await mcp.log.write({});`,
    `f1 fork started
     l1 concurrent callback items
     n1 db:write item=l1
     n2 log:write
     f1 > l1
     l1 [n1
     f1 > n2
     items`,
  ],
  [
    "reduce goes from one to the next",
    `const add = async (sum, item) => (await sum) + (await mcp.fs.stat({ path: item })).size;
     const total = await items.reduce(add, 0);
     await mcp.log.write({ total });`,
    `l1 callback items
     n1 fs:stat path=l1
     n2 log:write total=(await items.reduce(add, 0))<n1 l1 $items>
     l1 [n1
     l1 > n2
     n1 => n2
     items: array`,
  ],
  [
    "reduce as a chain of promises",
    `await paths.reduce((before, path) => before.then(() => mcp.fs.delete({ path })), Promise.resolve());`,
    `l1 callback paths
     n1 fs:delete path=l1
     l1 [n1
     paths: array`,
  ],
  [
    "flatMap, filter, find and some with tools are loops too",
    `const found = await Promise.all(paths.flatMap((path) => [mcp.fs.stat({ path }), mcp.fs.read({ path })]));`,
    `f1 fork all
     l1 concurrent callback paths
     f2 fork started
     n1 fs:stat path=l1
     n2 fs:read path=l1
     j1 join all
     f1 > l1
     l1 [f2
     l1 [n1
     f2 > n1
     l1 [n2
     f2 > n2
     l1 > j1
     paths: array`,
  ],
  [
    "Array.from with a callback",
    `const rows = await Promise.all(Array.from({ length: 3 }, (_, page) => mcp.api.list({ limit: page })));`,
    `f1 fork all
     l1 concurrent callback { length: 3 }
     n1 api:list limit=(page)<>
     j1 join all
     f1 > l1
     l1 [n1
     l1 > j1`,
  ],
  [
    "a callback within a callback",
    `await Promise.all(
       dirs.map(async (dir) => {
         await Promise.all(dir.files.map((file) => mcp.fs.read({ path: file })));
       }),
     );`,
    `f1 fork all
     l1 concurrent callback dirs
     f2 fork all
     l2 concurrent callback dir.files
     n1 fs:read path=l2
     j1 join all
     j2 join all
     f1 > l1
     l1 [f2
     l1 [l2
     f2 > l2
     l2 [n1
     l1 [j1
     l2 > j1
     l1 > j2
     dirs`,
  ],
  [
    "a decision in a callback stands inside the loop",
    `await Promise.all(
       files.map(async (file) => {
         if (file.old) await mcp.fs.delete({ path: file.path });
       }),
     );`,
    `f1 fork all
     l1 concurrent callback files
     d1 if file.old
     n1 fs:delete path=l1.path
     j1 join all
     f1 > l1
     l1 [d1
     l1 [n1
     d1 -true> n1
     l1 > j1
     files: array`,
  ],
  [
    "a tool handed to something unknown may be called there any number of times",
    `setTimeout(() => mcp.log.write({}), 100);`,
    `l1 deferred () => mcp.log.write({})
     n1 log:write
     l1 [n1`,
  ],
  [
    "a loop that starts work and waits for it afterwards",
    `const jobs = [];
     for (const path of paths) jobs.push(mcp.fs.read({ path }));
     const texts = await Promise.all(jobs);
     await mcp.log.write({ texts });`,
    `l1 for-of paths
     f1 fork started
     n1 fs:read path=l1
     j1 join started
     n2 log:write texts=(await Promise.all(jobs))<n1>
     l1 [f1
     l1 [n1
     f1 > n1
     l1 > j1
     n1 > j1
     j1 > n2
     n1 => n2
     paths: array`,
  ],
];
