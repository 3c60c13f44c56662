import type { Snippet } from "./snippet.js";

/** Calls behind `&&`, `||`, `??` and their assignments, and what ends early. */
export const GUARDS: readonly Snippet[] = [
  [
    "an early return leaves the rest to the other outcome",
    `const file = await mcp.fs.stat({ path });
     if (!file.exists) return null;
     return await mcp.fs.read({ path });`,
    `n1 fs:stat path=$path
     d1 if !file.exists
     n2 fs:read path=$path
     n1 > d1
     d1 -false> n2
     path: string`,
  ],
  [
    "an early throw leaves the rest to the other outcome",
    `if (!path) throw new Error("no path");
     await mcp.fs.read({ path });`,
    `d1 if !path
     n1 fs:read path=$path
     d1 -false> n1
     path: string`,
  ],
  [
    "a call before an early return is followed by nothing",
    `if (dry) {
       await mcp.log.write({});
       return;
     }
     await mcp.db.write({});`,
    `d1 if dry
     n1 log:write
     n2 db:write
     d1 -true> n1
     d1 -false> n2
     dry?`,
  ],
  [
    "code after a return is never reached",
    `await mcp.fs.read({ path });
     return 1;
     await mcp.fs.delete({ path });`,
    `n1 fs:read path=$path
     path: string`,
  ],
  [
    "when both ways return, nothing follows",
    `if (flag) return await mcp.fs.read({ path });
     else return await mcp.fs.list({ path });
     await mcp.log.write({});`,
    `d1 if flag
     n1 fs:read path=$path
     n2 fs:list path=$path
     d1 -true> n1
     d1 -false> n2
     flag?
     path: string`,
  ],
  [
    "a call behind && runs when the left side holds",
    `const file = await mcp.fs.stat({ path });
     file.exists && (await mcp.fs.delete({ path }));
     await mcp.log.write({});`,
    `n1 fs:stat path=$path
     d1 and file.exists
     n2 fs:delete path=$path
     n3 log:write
     n1 > d1
     d1 -true> n2
     n2 > n3
     d1 -false> n3
     path: string`,
  ],
  [
    "a call behind || runs when the left side does not hold",
    `const text = (await mcp.fs.read({ path })) || (await mcp.api.fetch({}));`,
    `n1 fs:read path=$path
     d1 or await mcp.fs.read({ path })
     n2 api:fetch
     n1 > d1
     d1 -false> n2
     path: string`,
  ],
  [
    "a call behind ?? runs when the left side is missing",
    `const text = args.text ?? (await mcp.fs.read({ path: args.path }));
     await mcp.log.write({ text });`,
    `d1 nullish args.text
     n1 fs:read path=$path
     n2 log:write text=(args.text ?? (await mcp.fs.read({ path: args.path })))<n1 $text>
     d1 -false> n1
     d1 -true> n2
     n1 > n2
     n1 => n2
     text?
     path: string`,
  ],
  [
    "&& over plain values is no decision",
    `await mcp.log.write({ both: a && b, one: a || b });`,
    `n1 log:write both=(a && b)<$a $b> one=(a || b)<$a $b>
     a?
     b`,
  ],
  [
    "&& inside a condition guards the call it stands before",
    `if (path && (await mcp.fs.stat({ path }))) await mcp.fs.delete({ path });`,
    `d1 and path
     n1 fs:stat path=$path
     d2 if path && (await mcp.fs.stat({ path }))
     n2 fs:delete path=$path
     d1 -true> n1
     n1 > d2
     d1 -false> d2
     d2 -true> n2
     path?: string`,
  ],
  [
    "a chain of && guards each call by the one before",
    `const ok = (await mcp.fs.stat({ path })) && (await mcp.fs.read({ path })) && (await mcp.fs.list({ path }));`,
    `n1 fs:stat path=$path
     d1 and await mcp.fs.stat({ path })
     n2 fs:read path=$path
     d2 and (await mcp.fs.stat({ path })) && (await mcp.fs.read({ path }))
     n3 fs:list path=$path
     n1 > d1
     d1 -true> n2
     n2 > d2
     d1 -false> d2
     d2 -true> n3
     path: string`,
  ],
  [
    "??= calls only when there is nothing yet",
    `let text = args.text;
     text ??= await mcp.fs.read({ path });
     await mcp.log.write({ text });`,
    `d1 nullish text
     n1 fs:read path=$path
     n2 log:write text=(text)<n1 $text>
     d1 -false> n1
     d1 -true> n2
     n1 > n2
     n1 => n2
     text?
     path: string`,
  ],
  [
    "||= and &&= are decisions too",
    `let a = await mcp.api.fetch({});
     a ||= await mcp.fs.read({ path });
     a &&= await mcp.fs.list({ path });`,
    `n1 api:fetch
     d1 or a
     n2 fs:read path=$path
     d2 and a
     n3 fs:list path=$path
     n1 > d1
     d1 -false> n2
     d1 -true> d2
     n2 > d2
     d2 -true> n3
     path: string`,
  ],
  [
    "a helper's early return is a value of the call",
    `async function load(path) {
       const file = await mcp.fs.stat({ path });
       if (!file.exists) return null;
       return mcp.fs.read({ path });
     }
     const text = await load(args.path);
     await mcp.log.write({ text });`,
    `n1 fs:stat path=$path
     d1 if !file.exists
     n2 fs:read path=$path
     n3 log:write text=(await load(args.path))<n2>
     n1 > d1
     d1 -false> n2
     d1 -true> n3
     n2 > n3
     n2 => n3
     path: string`,
  ],
];
