import type { Snippet } from "./snippet.js";

/** Ways that code may go: `if`, ternaries, early ends, and calls behind `&&`, `||` and `??`. */
export const DECISIONS: readonly Snippet[] = [
  [
    "an if without else goes on either way",
    `if (ready) await mcp.fs.create({ path });
     await mcp.log.write({});`,
    `d1 if ready
     n1 fs:create path=$path
     n2 log:write
     d1 -true> n1
     n1 > n2
     d1 -false> n2
     ready?
     path: string`,
  ],
  [
    "an if inside an if hangs from the inner outcome",
    `if (a) {
       if (b) await mcp.fs.create({ path });
       else await mcp.fs.delete({ path });
     }
     await mcp.log.write({});`,
    `d1 if a
     d2 if b
     n1 fs:create path=$path
     n2 fs:delete path=$path
     n3 log:write
     d1 -true> d2
     d2 -true> n1
     d2 -false> n2
     n1 > n3
     n2 > n3
     d1 -false> n3
     a?
     b?
     path: string`,
  ],
  [
    "an else-if is a decision on the false side",
    `if (kind === "a") await mcp.api.fetch({ id: 1 });
     else if (kind === "b") await mcp.api.fetch({ id: 2 });
     else await mcp.api.fetch({ id: 3 });`,
    `d1 if kind === "a"
     n1 api:fetch id=1
     d2 if kind === "b"
     n2 api:fetch id=2
     n3 api:fetch id=3
     d1 -true> n1
     d1 -false> d2
     d2 -true> n2
     d2 -false> n3
     kind
     id? = 1: number
     id2? = 2: number
     id3? = 3: number`,
  ],
  [
    "an if with nothing to call is still a decision",
    `let label = "few";
     if (items.length > 9) label = "many";
     await mcp.log.write({ label });`,
    `d1 if items.length > 9
     n1 log:write label=(label)<>
     d1 -true> n1
     d1 -false> n1
     items`,
  ],
  [
    "a call in a condition comes before the decision",
    `if (await mcp.fs.stat({ path })) await mcp.fs.delete({ path });`,
    `n1 fs:stat path=$path
     d1 if await mcp.fs.stat({ path })
     n2 fs:delete path=$path
     n1 > d1
     d1 -true> n2
     path: string`,
  ],
  [
    "a ternary that calls one of two tools",
    `const text = ok ? await mcp.fs.read({ path }) : await mcp.fs.list({ path });
     await mcp.log.write({ text });`,
    `d1 ternary ok
     n1 fs:read path=$path
     n2 fs:list path=$path
     n3 log:write text=(ok ? await mcp.fs.read({ path }) : await mcp.fs.list({ path }))<n1 n2 $ok>
     d1 -true> n1
     d1 -false> n2
     n1 > n3
     n2 > n3
     n1 => n3
     n2 => n3
     ok?
     path: string`,
  ],
  [
    "a ternary inside a ternary",
    `const id = a ? await mcp.api.fetch({}) : b ? await mcp.api.list({}) : null;`,
    `d1 ternary a
     n1 api:fetch
     d2 ternary b
     n2 api:list
     d1 -true> n1
     d1 -false> d2
     d2 -true> n2
     a?
     b?`,
  ],
  [
    "an awaited ternary waits for whichever call it was",
    `const text = await (ok ? mcp.fs.read({ path }) : mcp.fs.list({ path }));
     await mcp.log.write({});`,
    `d1 ternary ok
     n1 fs:read path=$path
     n2 fs:list path=$path
     n3 log:write
     d1 -true> n1
     d1 -false> n2
     n1 > n3
     n2 > n3
     ok?
     path: string`,
  ],
  [
    "a decision inside a helper stands where the helper is called",
    `async function save(data) {
       if (!data) return;
       await mcp.db.write({ data });
     }
     await save(args.data);
     await mcp.log.write({});`,
    `d1 if !data
     n1 db:write data=$data
     n2 log:write
     d1 -false> n1
     d1 -true> n2
     n1 > n2
     data`,
  ],
  [
    "decisions one after the other do not nest",
    `if (a) await mcp.fs.create({ path });
     if (b) await mcp.fs.delete({ path });`,
    `d1 if a
     n1 fs:create path=$path
     d2 if b
     n2 fs:delete path=$path
     d1 -true> n1
     n1 > d2
     d1 -false> d2
     d2 -true> n2
     a?
     path: string
     b?`,
  ],
  [
    "what two branches assign is one of the two afterwards",
    `let text;
     if (a) text = await mcp.fs.read({ path });
     else text = await mcp.api.fetch({});
     await mcp.log.write({ text });`,
    `d1 if a
     n1 fs:read path=$path
     n2 api:fetch
     n3 log:write text=(text)<n1 n2>
     d1 -true> n1
     d1 -false> n2
     n1 > n3
     n2 > n3
     n1 => n3
     n2 => n3
     a?
     path: string`,
  ],
  [
    "a decision depends on what its condition is made of",
    `const { total } = await mcp.db.query({ sql });
     const few = total < 10;
     if (few) await mcp.log.write({ total });`,
    `n1 db:query sql=$sql
     d1 if few
     n2 log:write total=n1.total
     n1 > d1
     d1 -true> n2
     n1 => n2
     sql: string`,
  ],
];
