import type { Snippet } from "./snippet.js";

/** Leaving a loop, an iteration or a block early, and what one iteration leaves to the next. */
export const JUMPS: readonly Snippet[] = [
  [
    "do-while carries a cursor from page to page",
    `let cursor;
     do {
       const page = await mcp.api.list({ cursor });
       await mcp.db.write({ rows: page.rows });
       cursor = page.next;
     } while (cursor);`,
    `l1 do-while cursor
     n1 api:list cursor=(cursor)<n1>
     n2 db:write rows=n1.rows
     l1 [n1
     l1 [n2
     n1 > n2
     n1 => n2`,
  ],
  [
    "continue skips the rest of an iteration",
    `for (const item of items) {
       if (item.done) continue;
       await mcp.db.write({ item });
     }`,
    `l1 for-of items
     d1 if item.done
     n1 db:write item=l1
     l1 [d1
     l1 [n1
     d1 -false> n1
     items`,
  ],
  [
    "break ends the loop; what follows it is still reached",
    `for (const item of items) {
       const found = await mcp.fs.stat({ path: item });
       if (found.exists) break;
       await mcp.log.write({ item });
     }
     await mcp.db.write({});`,
    `l1 for-of items
     n1 fs:stat path=l1
     d1 if found.exists
     n2 log:write item=l1
     n3 db:write
     l1 [n1
     l1 [d1
     n1 > d1
     l1 [n2
     d1 -false> n2
     l1 > n3
     items: array`,
  ],
  [
    "a labelled continue leaves the inner loop",
    `outer: for (const dir of dirs) {
       for (const file of dir.files) {
         if (!(await mcp.fs.stat({ path: file }))) continue outer;
         await mcp.fs.read({ path: file });
       }
       await mcp.log.write({ dir });
     }`,
    `l1 for-of dirs
     l2 for-of dir.files
     n1 fs:stat path=l2
     d1 if !(await mcp.fs.stat({ path: file }))
     n2 fs:read path=l2
     n3 log:write dir=l1
     l1 [l2
     l2 [n1
     l2 [d1
     n1 > d1
     l2 [n2
     d1 -false> n2
     l1 [n3
     l2 > n3
     dirs`,
  ],
  [
    "a labelled break leaves both loops",
    `outer: for (const a of as) {
       for (const b of bs) {
         await mcp.db.write({ a, b });
         if (b.last) break outer;
       }
     }
     await mcp.log.write({});`,
    `l1 for-of as
     l2 for-of bs
     n1 db:write a=l1 b=l2
     d1 if b.last
     n2 log:write
     l1 [l2
     l2 [n1
     l2 [d1
     n1 > d1
     l1 > n2
     as
     bs`,
  ],
  [
    "a labelled block is left by break",
    `check: {
       if (!path) break check;
       await mcp.fs.read({ path });
     }
     await mcp.log.write({});`,
    `d1 if !path
     n1 fs:read path=$path
     n2 log:write
     d1 -false> n1
     d1 -true> n2
     n1 > n2
     path: string`,
  ],
  [
    "a return inside a loop ends the code",
    `for (const path of paths) {
       const file = await mcp.fs.stat({ path });
       if (file.exists) return file;
     }
     await mcp.log.write({});`,
    `l1 for-of paths
     n1 fs:stat path=l1
     d1 if file.exists
     n2 log:write
     l1 [n1
     l1 [d1
     n1 > d1
     l1 > n2
     paths: array`,
  ],
  [
    "what a loop gathers is made of its calls",
    `const texts = [];
     for (const path of paths) {
       const { text } = await mcp.fs.read({ path });
       texts.push(text);
     }
     await mcp.log.write({ texts });`,
    `l1 for-of paths
     n1 fs:read path=l1
     n2 log:write texts=(texts)<n1>
     l1 [n1
     l1 > n2
     n1 => n2
     paths: array`,
  ],
  [
    "a name that a loop assigns is no literal inside it",
    `let mode = "first";
     for (const item of items) {
       await mcp.db.write({ mode });
       mode = "next";
     }`,
    `l1 for-of items
     n1 db:write mode=(mode)<>
     l1 [n1
     items`,
  ],
];
