import type { Snippet } from "./snippet.js";

/** Switches: labels as outcomes, fall-through, and what follows. */
export const SWITCHES: readonly Snippet[] = [
  [
    "each case is an outcome",
    `switch (kind) {
       case "read":
         await mcp.fs.read({ path });
         break;
       case "list":
         await mcp.fs.list({ path });
         break;
       default:
         await mcp.log.write({});
     }`,
    `d1 switch kind
     n1 fs:read path=$path
     n2 fs:list path=$path
     n3 log:write
     d1 -read> n1
     d1 -list> n2
     d1 -default> n3
     kind
     path: string`,
  ],
  [
    "without a default, nothing may happen",
    `switch (kind) {
       case "read":
         await mcp.fs.read({ path });
         break;
     }
     await mcp.log.write({});`,
    `d1 switch kind
     n1 fs:read path=$path
     n2 log:write
     d1 -read> n1
     n1 > n2
     d1 -default> n2
     kind
     path: string`,
  ],
  [
    "a case without break falls through to the next",
    `switch (kind) {
       case "full":
         await mcp.fs.list({ path });
       case "short":
         await mcp.fs.stat({ path });
     }`,
    `d1 switch kind
     n1 fs:list path=$path
     n2 fs:stat path=$path
     d1 -full> n1
     n1 > n2
     d1 -short> n2
     kind
     path: string`,
  ],
  [
    "labels that share a body are each an outcome",
    `switch (status) {
       case 200:
       case 201:
         await mcp.log.write({});
         break;
       default:
         await mcp.db.write({});
     }`,
    `d1 switch status
     n1 log:write
     n2 db:write
     d1 -200> n1
     d1 -201> n1
     d1 -default> n2
     status`,
  ],
  [
    "a default in the middle falls through too",
    `switch (kind) {
       case "a":
         await mcp.fs.create({ path });
         break;
       default:
         await mcp.fs.stat({ path });
       case "b":
         await mcp.fs.delete({ path });
     }`,
    `d1 switch kind
     n1 fs:create path=$path
     n2 fs:stat path=$path
     n3 fs:delete path=$path
     d1 -a> n1
     d1 -default> n2
     n2 > n3
     d1 -b> n3
     kind
     path: string`,
  ],
  [
    "a case that returns is not followed",
    `switch (kind) {
       case "a":
         return await mcp.fs.read({ path });
       case "b":
         await mcp.fs.stat({ path });
     }
     await mcp.log.write({});`,
    `d1 switch kind
     n1 fs:read path=$path
     n2 fs:stat path=$path
     n3 log:write
     d1 -a> n1
     d1 -b> n2
     n2 > n3
     d1 -default> n3
     kind
     path: string`,
  ],
  [
    "a break under a condition leaves early",
    `switch (kind) {
       case "a":
         if (skip) break;
         await mcp.fs.create({ path });
     }
     await mcp.log.write({});`,
    `d1 switch kind
     d2 if skip
     n1 fs:create path=$path
     n2 log:write
     d1 -a> d2
     d2 -false> n1
     d2 -true> n2
     n1 > n2
     d1 -default> n2
     kind
     skip?
     path: string`,
  ],
  [
    "switch (true) keeps the conditions as labels",
    `switch (true) {
       case size > 100:
         await mcp.fs.delete({ path });
         break;
       case size > 10:
         await mcp.fs.stat({ path });
     }`,
    `d1 switch true
     n1 fs:delete path=$path
     n2 fs:stat path=$path
     d1 -size > 100> n1
     d1 -size > 10> n2
     size
     path: string`,
  ],
  [
    "a switch over a result depends on it",
    `const { type } = await mcp.fs.stat({ path });
     switch (type) {
       case "file":
         await mcp.fs.read({ path });
     }`,
    `n1 fs:stat path=$path
     d1 switch type
     n2 fs:read path=$path
     n1 > d1
     d1 -file> n2
     path: string`,
  ],
  [
    "a switch in a loop: break leaves the switch, continue the iteration",
    `for (const item of items) {
       switch (item.kind) {
         case "skip":
           continue;
         case "read":
           await mcp.fs.read({ path: item.path });
           break;
       }
       await mcp.log.write({});
     }`,
    `l1 for-of items
     d1 switch item.kind
     n1 fs:read path=l1.path
     n2 log:write
     l1 [d1
     l1 [n1
     d1 -read> n1
     l1 [n2
     n1 > n2
     d1 -default> n2
     items: array`,
  ],
  [
    "a case inside a case's block",
    `switch (a) {
       case 1: {
         switch (b) {
           case 2:
             await mcp.fs.read({ path });
         }
         break;
       }
       default:
         await mcp.log.write({});
     }`,
    `d1 switch a
     d2 switch b
     n1 fs:read path=$path
     n2 log:write
     d1 -1> d2
     d2 -2> n1
     d1 -default> n2
     a
     b
     path: string`,
  ],
  [
    "a label that is a tool's result comes before it is compared",
    `switch (kind) {
       case await mcp.fs.read({ path }):
         await mcp.log.write({});
     }`,
    `n1 fs:read path=$path
     d1 switch kind
     n2 log:write
     n1 > d1
     d1 -await mcp.fs.read({ path })> n2
     kind
     path: string`,
  ],
];
