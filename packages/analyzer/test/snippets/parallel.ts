import type { Snippet } from "./snippet.js";

/** Work side by side: `Promise.all` and its like, promises started before they are awaited, and `.then`. */
export const PARALLEL: readonly Snippet[] = [
  [
    "each element of Promise.all runs beside the others",
    `const [file, page] = await Promise.all([mcp.fs.read({ path }), mcp.api.fetch({ url })]);
     await mcp.db.write({ file, page: page.body });`,
    `f1 fork all
     n1 fs:read path=$path
     n2 api:fetch url=$url
     j1 join all
     n3 db:write file=n1 page=n2.body
     f1 > n1
     f1 > n2
     n1 > j1
     n2 > j1
     j1 > n3
     n1 => n3
     n2 => n3
     path: string
     url`,
  ],
  [
    "Promise.allSettled tells how each ended",
    `const [a, b] = await Promise.allSettled([mcp.fs.read({ path }), mcp.api.fetch({})]);
     await mcp.log.write({ text: a.value, status: b.status });`,
    `f1 fork allSettled
     n1 fs:read path=$path
     n2 api:fetch
     j1 join allSettled
     n3 log:write text=n1 status=(b.status)<n2>
     f1 > n1
     f1 > n2
     n1 > j1
     n2 > j1
     j1 > n3
     n1 => n3
     n2 => n3
     path: string`,
  ],
  [
    "Promise.race gives one of them",
    `const first = await Promise.race([mcp.api.fetch({ url: a }), mcp.api.fetch({ url: b })]);
     await mcp.log.write({ first });`,
    `f1 fork race
     n1 api:fetch url=$a
     n2 api:fetch url=$b
     j1 join race
     n3 log:write first=(await Promise.race([mcp.api.fetch({ url: a }), mcp.api.fetch({ url: b })]))<n1 n2>
     f1 > n1
     f1 > n2
     n1 > j1
     n2 > j1
     j1 > n3
     n1 => n3
     n2 => n3
     a
     b`,
  ],
  [
    "Promise.any gives one of them",
    `return await Promise.any([mcp.api.fetch({ url: a }), mcp.fs.read({ path })]);`,
    `f1 fork any
     n1 api:fetch url=$a
     n2 fs:read path=$path
     j1 join any
     f1 > n1
     f1 > n2
     n1 > j1
     n2 > j1
     a
     path: string`,
  ],
  [
    "a promise that is started here and awaited there",
    `const pending = mcp.fs.read({ path });
     await mcp.log.write({});
     const text = await pending;
     await mcp.db.write({ text });`,
    `f1 fork started
     n1 fs:read path=$path
     n2 log:write
     j1 join started
     n3 db:write text=n1
     f1 > n1
     f1 > n2
     n2 > j1
     n1 > j1
     j1 > n3
     n1 => n3
     path: string`,
  ],
  [
    "two promises started together and awaited one by one",
    `const a = mcp.fs.read({ path: left });
     const b = mcp.fs.read({ path: right });
     await mcp.db.write({ a: await a, b: await b });`,
    `f1 fork started
     n1 fs:read path=$left
     n2 fs:read path=$right
     j1 join started
     n3 db:write a=n1 b=n2
     f1 > n1
     f1 > n2
     n1 > j1
     n2 > j1
     j1 > n3
     n1 => n3
     n2 => n3
     left: string
     right: string`,
  ],
  [
    "a promise that nobody awaits runs beside the rest",
    `mcp.log.write({});
     await mcp.db.write({});`,
    `f1 fork started
     n1 log:write
     n2 db:write
     f1 > n1
     f1 > n2`,
  ],
  [
    "a returned promise is waited for",
    `return mcp.fs.read({ path });`,
    `n1 fs:read path=$path
     path: string`,
  ],
  [
    "started promises that Promise.all waits for",
    `const a = mcp.fs.read({ path: left });
     const b = mcp.fs.read({ path: right });
     const both = await Promise.all([a, b]);
     await mcp.log.write({ first: both[0] });`,
    `f1 fork started
     n1 fs:read path=$left
     n2 fs:read path=$right
     j1 join started
     n3 log:write first=n1
     f1 > n1
     f1 > n2
     n1 > j1
     n2 > j1
     j1 > n3
     n1 => n3
     left: string
     right: string`,
  ],
  [
    "awaited .then is a chain of steps",
    `const count = await mcp.fs.read({ path }).then((text) => mcp.json.parse({ json: text }));
     await mcp.log.write({ count });`,
    `n1 fs:read path=$path
     n2 json:parse json=n1
     n3 log:write count=n2
     n1 > n2
     n2 > n3
     n1 => n2
     n2 => n3
     path: string`,
  ],
  [
    ".then on started work goes on beside what follows",
    `const pending = mcp.fs.read({ path }).then((text) => mcp.json.parse({ json: text }));
     await mcp.log.write({});
     await pending;`,
    `f1 fork started
     n1 fs:read path=$path
     n2 json:parse json=n1
     n3 log:write
     j1 join started
     f1 > n1
     n1 > n2
     f1 > n3
     n3 > j1
     n2 > j1
     n1 => n2
     path: string`,
  ],
  [
    "a chain inside Promise.all is one branch of it",
    `await Promise.all([
       mcp.fs.read({ path }).then((text) => mcp.json.parse({ json: text })),
       mcp.log.write({}),
     ]);`,
    `f1 fork all
     n1 fs:read path=$path
     n2 json:parse json=n1
     n3 log:write
     j1 join all
     f1 > n1
     n1 > n2
     f1 > n3
     n2 > j1
     n3 > j1
     n1 => n2
     path: string`,
  ],
  [
    ".then with a plain callback adds nothing",
    `const name = await mcp.fs.stat({ path }).then((file) => file.name);
     await mcp.log.write({ name });`,
    `n1 fs:stat path=$path
     n2 log:write name=n1.name
     n1 > n2
     n1 => n2
     path: string`,
  ],
  [
    "a tool handed to .then gets the result",
    `await mcp.api.fetch({ url }).then(mcp.db.write);`,
    `n1 api:fetch url=$url
     n2 db:write ...n1
     n1 > n2
     n1 => n2
     url`,
  ],
  [
    "helpers side by side",
    `async function load(path) {
       const text = await mcp.fs.read({ path });
       return await mcp.json.parse({ json: text });
     }
     const [a, b] = await Promise.all([load(left), load(right)]);
     await mcp.db.write({ a, b });`,
    `f1 fork all
     n1 fs:read path=$left
     n2 json:parse json=n1
     n3 fs:read path=$right
     n4 json:parse json=n3
     j1 join all
     n5 db:write a=n2 b=n4
     f1 > n1
     n1 > n2
     f1 > n3
     n3 > n4
     n2 > j1
     n4 > j1
     j1 > n5
     n1 => n2
     n3 => n4
     n2 => n5
     n4 => n5
     left: string
     right: string`,
  ],
  [
    "Promise.all of plain values is nothing",
    `const [a] = await Promise.all([1]);
     await mcp.log.write({ a });`,
    `n1 log:write a=1
     a? = 1: number`,
  ],
  [
    "a condition picks what joins Promise.all",
    `await Promise.all([mcp.api.fetch({}), deep ? mcp.fs.list({ path }) : null]);`,
    `f1 fork all
     n1 api:fetch
     d1 ternary deep
     n2 fs:list path=$path
     j1 join all
     f1 > n1
     f1 > d1
     d1 -true> n2
     n1 > j1
     n2 > j1
     d1 -false> j1
     deep?
     path: string`,
  ],
  [
    "a new Promise around a call",
    `const text = await new Promise((resolve) => mcp.fs.read({ path }).then(resolve));`,
    `l1 deferred (resolve) => mcp.fs.read({ path }).then(resolve)
     n1 fs:read path=$path
     l1 [n1
     path: string`,
  ],
  [
    "Promise.resolve passes its value on",
    `const text = await Promise.resolve(mcp.fs.read({ path }));
     await mcp.log.write({ text });`,
    `f1 fork started
     n1 fs:read path=$path
     j1 join started
     n2 log:write text=n1
     f1 > n1
     n1 > j1
     j1 > n2
     n1 => n2
     path: string`,
  ],
];
