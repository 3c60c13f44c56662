import type { Snippet } from "./snippet.js";

/** Which names are tools and capabilities, and which only look like it. */
export const NAMES: readonly Snippet[] = [
  [
    "mcp taken apart",
    `const { fs } = mcp;
     await fs.read({ path });`,
    `n1 fs:read path=$path
     path: string`,
  ],
  [
    "a server under another name",
    `const { fs: files, api } = mcp;
     await files.read({ path });
     await api.fetch({ url });`,
    `n1 fs:read path=$path
     n2 api:fetch url=$url
     n1 > n2
     path: string
     url`,
  ],
  [
    "a tool taken out of its server",
    `const { read, write: save } = mcp.fs;
     const text = await read({ path });
     await save({ path, content: text });`,
    `n1 fs:read path=$path
     n2 fs:write path=$path content=n1
     n1 > n2
     n1 => n2
     path: string`,
  ],
  [
    "a tool as a constant",
    `const read = mcp.fs.read;
     await read({ path });`,
    `n1 fs:read path=$path
     path: string`,
  ],
  [
    "mcp by another name",
    `const tools = mcp;
     await tools.fs.read({ path });`,
    `n1 fs:read path=$path
     path: string`,
  ],
  [
    "nested patterns reach the tool",
    `const { fs: { read } } = mcp;
     await read({ path });`,
    `n1 fs:read path=$path
     path: string`,
  ],
  [
    "names that are no identifiers",
    `await mcp["my-server"]["do-it"]({ path });`,
    `n1 my-server:do-it path=$path
     path`,
  ],
  [
    "a name from a constant is known",
    `const server = "fs";
     await mcp[server].read({ path });`,
    `n1 fs:read path=$path
     path: string`,
  ],
  [
    "a name from a template without parts is known",
    `await mcp[\`fs\`][\`read\`]({ path });`,
    `n1 fs:read path=$path
     path: string`,
  ],
  [
    "a computed tool is not guessed",
    `await mcp.fs[args.name]({ path });`,
    `n1 fs:* path=$path
     name
     path
     computed fs:*`,
  ],
  [
    "a computed server is not guessed",
    `await mcp[server].read({ path });`,
    `n1 * path=$path
     server
     path
     computed *`,
  ],
  [
    "a name put together at run time is not guessed",
    `await mcp.fs["re" + "ad"]({ path });`,
    `n1 fs:* path=$path
     path
     computed fs:*`,
  ],
  [
    "a name that differs by branch is not guessed",
    `const name = flag ? "read" : "stat";
     await mcp.fs[name]({ path });`,
    `d1 ternary flag
     n1 fs:* path=$path
     d1 -true> n1
     d1 -false> n1
     flag?
     path
     computed fs:*`,
  ],
  [
    "a name that a loop changes is not guessed",
    `for (const name of ["read", "stat"]) await mcp.fs[name]({ path });`,
    `l1 for-of ["read", "stat"]
     n1 fs:* path=$path
     l1 [n1
     path
     computed fs:*`,
  ],
  [
    "a computed capability is not guessed",
    `await capabilities[name]({ path });`,
    `n1 cap * path=$path
     name
     path
     computed cap:*`,
  ],
  [
    "optional calls of a tool",
    `await mcp.fs?.read?.({ path });`,
    `n1 fs:read path=$path
     path: string`,
  ],
  [
    "a parameter named mcp is no tool",
    `const run = (mcp) => mcp.fs.read({ path });
     run({ fs: { read: (input) => input } });`,
    `path`,
  ],
  [
    "a constant named mcp is no tool",
    `const mcp = { fs: { read: async () => 1 } };
     await mcp.fs.read({ path });`,
    `path`,
  ],
  [
    "a shadow ends with its block",
    `{
       const mcp = { fs: { read: () => 1 } };
       mcp.fs.read({});
     }
     await mcp.fs.read({ path });`,
    `n1 fs:read path=$path
     path: string`,
  ],
  [
    "a caught error named mcp is no tool",
    `try {
       await mcp.api.fetch({});
     } catch (mcp) {
       mcp.fs.read({});
     }`,
    `n1 api:fetch
     d1 catch mcp
     n1 > d1`,
  ],
  [
    "capabilities may be shadowed too",
    `const capabilities = { summarize: (x) => x };
     await mcp.log.write({ text: capabilities.summarize(args.text) });`,
    `n1 log:write text=$text
     text`,
  ],
  [
    "args may be shadowed",
    `const read = async (args) => await mcp.fs.read({ path: args.path });
     await read({ path: "a.txt" });`,
    `n1 fs:read path="a.txt"
     path? = "a.txt": string`,
  ],
  [
    "a member called mcp is no tool",
    `await api.mcp.fs.read({ path });`,
    `api
     path`,
  ],
  [
    "a capability in a namespace",
    `await capabilities.fs.read_json({ path });`,
    `n1 cap fs:read_json path=$path
     path: string`,
  ],
  [
    "a capability by its full name and version",
    `await capabilities["fs:read_json@v1"]({ path });`,
    `n1 cap fs:read_json@v1 path=$path
     path: string`,
  ],
  [
    "a capability as a tool",
    `await mcp.cap["fs:read_json"]({ path });`,
    `n1 cap fs:read_json path=$path
     path: string`,
  ],
  [
    "an unnamed capability",
    `await capabilities.unnamed_1a2b3c({ path });`,
    `n1 cap unnamed_1a2b3c path=$path
     path`,
  ],
  [
    "capabilities taken apart",
    `const { summarize, fs: { read_json: readJson } } = capabilities;
     await summarize({ text: await readJson({ path }) });`,
    `n1 cap fs:read_json path=$path
     n2 cap summarize text=n1
     n1 > n2
     n1 => n2
     path: string`,
  ],
  [
    "a capability that nobody told of",
    `await capabilities.translate({ text });`,
    `n1 cap translate text=$text
     text`,
  ],
  [
    "a tool that nobody told of",
    `await mcp.weather.today({ city: "Paris" });`,
    `n1 weather:today city="Paris"
     city? = "Paris": string`,
  ],
  [
    "a tool out of a list",
    `const [first] = [mcp.fs.read, mcp.fs.stat];
     await first({ path });`,
    `n1 fs:read path=$path
     path: string`,
  ],
  [
    "a private-looking name on mcp is a server like any other",
    `await mcp.__proto__.read({ path });`,
    `n1 __proto__:read path=$path
     path`,
  ],
  [
    "a tool through Reflect",
    `await Reflect.apply(mcp.fs.delete, null, [{ path }]);`,
    `l1 deferred mcp.fs.delete
     n1 fs:delete
     l1 [n1
     path`,
  ],
  ["mcp itself handed on may be used for anything", `console.log(mcp);`, `computed *`],
];
