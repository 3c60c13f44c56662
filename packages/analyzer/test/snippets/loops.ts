import type { Snippet } from "./snippet.js";

/** Loops that are written as loops: what is called in the body stands inside. */
export const LOOPS: readonly Snippet[] = [
  [
    "for-of walks over an input",
    `for (const path of paths) {
       await mcp.fs.read({ path });
     }`,
    `l1 for-of paths
     n1 fs:read path=l1
     l1 [n1
     paths: array`,
  ],
  [
    "what follows a loop follows the loop, not its body",
    `for (const path of paths) await mcp.fs.delete({ path });
     await mcp.log.write({});`,
    `l1 for-of paths
     n1 fs:delete path=l1
     n2 log:write
     l1 [n1
     l1 > n2
     paths: array`,
  ],
  [
    "for-of over a result takes its elements from it",
    `const { files } = await mcp.fs.list({ path });
     for (const file of files) await mcp.fs.read({ path: file.path });`,
    `n1 fs:list path=$path
     l1 for-of files
     n2 fs:read path=l1.path
     n1 > l1
     l1 [n2
     n1 => n2
     path: string`,
  ],
  [
    "for-of over a call",
    `for (const { name } of await mcp.fs.list({ path })) await mcp.fs.delete({ path: name });`,
    `n1 fs:list path=$path
     l1 for-of await mcp.fs.list({ path })
     n2 fs:delete path=l1.name
     n1 > l1
     l1 [n2
     n1 => n2
     path: string`,
  ],
  [
    "for-of with entries takes index and element apart",
    `for (const [index, item] of items.entries()) await mcp.db.write({ index, item });`,
    `n1 code:entries items=$items
     l1 for-of items.entries()
     n2 db:write index=l1.0 item=l1.1
     n1 > l1
     l1 [n2
     n1 => n2
     items`,
  ],
  [
    "for-in walks over names, which are no elements",
    `for (const key in record) await mcp.db.write({ key, value: record[key] });`,
    `l1 for-in record
     n1 db:write key=(key)<$record> value=(record[key])<$record>
     l1 [n1
     record`,
  ],
  [
    "a call in a for's condition happens each time",
    `for (let i = 0; i < (await mcp.db.query({ sql })).total; i++) await mcp.log.write({});`,
    `l1 for i < (await mcp.db.query({ sql })).total
     n1 db:query sql=$sql
     n2 log:write
     l1 [n1
     l1 [n2
     n1 > n2
     sql: string`,
  ],
  [
    "a for without any head",
    `for (;;) {
       const page = await mcp.api.list({});
       if (!page.next) break;
     }`,
    `l1 for
     n1 api:list
     d1 if !page.next
     l1 [n1
     l1 [d1
     n1 > d1`,
  ],
  [
    "while, with its condition as text",
    `let job = await mcp.api.fetch({});
     while (!job.done) {
       job = await mcp.api.fetch({ id: job.id });
     }
     await mcp.log.write({ job });`,
    `n1 api:fetch
     l1 while !job.done
     n2 api:fetch id=(job.id)<n1 n2>
     n3 log:write job=(job)<n2 n1>
     n1 > l1
     l1 [n2
     l1 > n3
     n1 => n2
     n2 => n3
     n1 => n3`,
  ],
  [
    "a call in a while's condition stands inside",
    `while ((await mcp.api.fetch({})).pending) {
       await mcp.log.write({});
     }`,
    `l1 while (await mcp.api.fetch({})).pending
     n1 api:fetch
     n2 log:write
     l1 [n1
     l1 [n2
     n1 > n2`,
  ],
  [
    "a call in a do-while's condition comes last",
    `do {
       await mcp.log.write({});
     } while (await mcp.fs.stat({ path }));`,
    `l1 do-while await mcp.fs.stat({ path })
     n1 log:write
     n2 fs:stat path=$path
     l1 [n1
     l1 [n2
     n1 > n2
     path: string`,
  ],
  [
    "for await walks over what comes bit by bit",
    `for await (const row of mcp.db.query({ sql })) await mcp.log.write({ row });`,
    `n1 db:query sql=$sql
     l1 for-await mcp.db.query({ sql })
     n2 log:write row=l1
     n1 > l1
     l1 [n2
     n1 => n2
     sql: string`,
  ],
  [
    "a loop in a loop",
    `for (const dir of dirs) {
       for (const file of dir.files) await mcp.fs.read({ path: file });
     }`,
    `l1 for-of dirs
     l2 for-of dir.files
     n1 fs:read path=l2
     l1 [l2
     l2 [n1
     dirs`,
  ],
  [
    "a loop that only computes holds its operations",
    `const names = [];
     for (const item of items) names.push(item.name.trim());
     await mcp.log.write({ names });`,
    `l1 for-of items
     n1 code:trim item=l1
     n2 log:write names=(names)<n1>
     l1 [n1
     l1 > n2
     n1 => n2
     items`,
  ],
  [
    "a loop under a condition",
    `if (paths.length > 0) {
       for (const path of paths) await mcp.fs.read({ path });
     } else {
       await mcp.log.write({});
     }`,
    `d1 if paths.length > 0
     l1 for-of paths
     n1 fs:read path=l1
     n2 log:write
     d1 -true> l1
     l1 [n1
     d1 -false> n2
     paths: array`,
  ],
  [
    "a loop over a written list",
    `for (const path of ["a.txt", "b.txt"]) await mcp.fs.read({ path });`,
    `l1 for-of ["a.txt", "b.txt"]
     n1 fs:read path=l1
     l1 [n1`,
  ],
  [
    "a helper called in a loop is inlined there",
    `const load = async (path) => await mcp.fs.read({ path });
     for (const path of paths) await load(path);`,
    `l1 for-of paths
     n1 fs:read path=l1
     l1 [n1
     paths: array`,
  ],
];
