import type { Snippet } from "./snippet.js";

/** The examples of the design, with `provides` only where data flows. */
export const DESIGN_DOCUMENTS: readonly Snippet[] = [
  [
    "a file that is read if it is there, and made if it is not",
    `const file = await mcp.fs.stat({ path });
     if (file.exists) {
       const content = await mcp.fs.read({ path });
       return content;
     } else {
       await mcp.fs.create({ path });
       await mcp.fs.write({ path, content: "" });
     }`,
    `n1 fs:stat path=$path
     d1 if file.exists
     n2 fs:read path=$path
     n3 fs:create path=$path
     n4 fs:write path=$path content=""
     n1 > d1
     d1 -true> n2
     d1 -false> n3
     n3 > n4
     path: string
     content? = "": string`,
  ],
  [
    "a call of a tool",
    `const result = await mcp.fs.read({ path: "config.json" });`,
    `n1 fs:read path="config.json"
     path? = "config.json": string`,
  ],
  [
    "a call of a capability",
    `const summary = await capabilities.summarize({ text: content });`,
    `n1 cap summarize text=$content
     content`,
  ],
  [
    "calls side by side",
    `const [a, b] = await Promise.all([
       mcp.api.fetch({ url: urlA }),
       mcp.api.fetch({ url: urlB }),
     ]);`,
    `f1 fork all
     n1 api:fetch url=$urlA
     n2 api:fetch url=$urlB
     j1 join all
     f1 > n1
     f1 > n2
     n1 > j1
     n2 > j1
     urlA
     urlB`,
  ],
  [
    "a call under a condition",
    `if (condition) {
       await mcp.db.write({ data });
     }`,
    `d1 if condition
     n1 db:write data=$data
     d1 -true> n1
     condition?
     data`,
  ],
];
