import type { Snippet } from "./snippet.js";

/** What looks like an operation and is none, or is not told apart. */
export const NO_OPERATIONS: readonly Snippet[] = [
  [
    "a callback that calls a tool is not pure",
    `const sizes = await Promise.all(files.map(async (file) => (await mcp.fs.stat({ path: file })).size));`,
    `f1 fork all
     l1 concurrent callback files
     n1 fs:stat path=l1
     j1 join all
     f1 > l1
     l1 [n1
     l1 > j1
     files: array`,
  ],
  [
    "a callback that reaches a tool through a helper is not pure",
    `const size = async (path) => (await mcp.fs.stat({ path })).size;
     const sizes = await Promise.all(files.map((file) => size(file)));`,
    `f1 fork all
     l1 concurrent callback files
     n1 fs:stat path=l1
     j1 join all
     f1 > l1
     l1 [n1
     l1 > j1
     files: array`,
  ],
  [
    "operations inside a pure callback are not told apart",
    `const names = items.map((item) => item.name.trim().split(" ")[0]);
     return names;`,
    `n1 code:map items=$items
     items`,
  ],
  [
    "a decision inside a pure callback is not told apart",
    `return items.map((item) => (item.ok ? 1 : 2));`,
    `n1 code:map items=$items
     items`,
  ],
  [
    "what changes its receiver is no operation",
    `const list = [];
     list.push(1);
     list.splice(0, 1);
     await mcp.log.write({ list });`,
    `n1 log:write list=(list)<>`,
  ],
  [
    "clock and chance are no operations",
    `await mcp.log.write({ at: Date.now(), n: Math.random() });`,
    `n1 log:write at=(Date.now())<> n=(Math.random())<>`,
  ],
  [
    "console does nothing that is told",
    `console.log("start");
     await mcp.log.write({});`,
    `n1 log:write`,
  ],
  [
    "a method of the same name on a tool's server is a tool",
    `await mcp.api.filter({ id });`,
    `n1 api:filter id=$id
     id`,
  ],
  [
    "new objects are values",
    `const query = new URLSearchParams({ q: args.q });
     await mcp.http.post({ url: query.toString() });`,
    `n1 code:toString query=(new URLSearchParams({ q: args.q }))<$q>
     n2 http:post url=n1
     n1 > n2
     n1 => n2
     q`,
  ],
  [
    "a pure helper that is called is spelled out as a value",
    `const slug = (text) => text.trim().toLowerCase();
     await mcp.fs.read({ path: slug(args.name) });`,
    `n1 fs:read path=(slug(args.name))<$name>
     name`,
  ],
  [
    "global names that are shadowed are no operations",
    `const JSON = { parse: (text) => text };
     return JSON.parse(args.text);`,
    `text`,
  ],
];
