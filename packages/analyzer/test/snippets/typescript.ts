import type { Snippet } from "./snippet.js";

/** TypeScript as agents write it. Types say nothing that is read here; they only must not be in the way. */
export const TYPESCRIPT: readonly Snippet[] = [
  [
    "annotations of names and results",
    `const path: string = "a.json";
     const file: { text: string } = await mcp.fs.read({ path });
     await mcp.log.write({ text: file.text });`,
    `n1 fs:read path="a.json"
     n2 log:write text=n1.text
     n1 > n2
     n1 => n2
     path? = "a.json": string`,
  ],
  [
    "annotated functions",
    `async function load(path: string, encoding?: string): Promise<string> {
       return await mcp.fs.read({ path, encoding });
     }
     await load(args.path, "utf8");`,
    `n1 fs:read path=$path encoding="utf8"
     path: string
     encoding? = "utf8": string`,
  ],
  [
    "a generic call",
    `const data = parse<string>(await mcp.fs.read({ path }));
     function parse<T>(raw: unknown): T {
       return raw as T;
     }
     await mcp.log.write({ data });`,
    `n1 fs:read path=$path
     n2 log:write data=n1
     n1 > n2
     n1 => n2
     path: string`,
  ],
  [
    "a generic call of a tool",
    `const rows = await mcp.db.query<Row[]>({ sql });
     interface Row {
       id: number;
     }
     await mcp.log.write({ first: rows[0] });`,
    `n1 db:query sql=$sql
     n2 log:write first=n1.0
     n1 > n2
     n1 => n2
     sql: string`,
  ],
  [
    "nested generics",
    `const cache = new Map<string, Array<number>>();
     const ids = await mcp.api.fetch<Record<string, Map<string, number>>>({ url });
     await mcp.log.write({ ids });`,
    `n1 api:fetch url=$url
     n2 log:write ids=n1
     n1 > n2
     n1 => n2
     url`,
  ],
  [
    "as keeps the value",
    `const file = (await mcp.fs.read({ path })) as { text: string };
     await mcp.log.write({ text: (file as any).text });`,
    `n1 fs:read path=$path
     n2 log:write text=n1.text
     n1 > n2
     n1 => n2
     path: string`,
  ],
  [
    "as const keeps the literal",
    `const mode = "fast" as const;
     await mcp.db.write({ mode });`,
    `n1 db:write mode="fast"
     mode? = "fast": string`,
  ],
  [
    "satisfies keeps the value",
    `const input = { path: "a.json" } satisfies { path: string };
     await mcp.fs.read(input);`,
    `n1 fs:read path="a.json"
     path? = "a.json": string`,
  ],
  [
    "non-null keeps the path",
    `const file = await mcp.fs.stat({ path });
     await mcp.log.write({ size: file!.meta!.size });`,
    `n1 fs:stat path=$path
     n2 log:write size=n1.meta.size
     n1 > n2
     n1 => n2
     path: string`,
  ],
  [
    "interfaces and type aliases are nothing",
    `interface File {
       path: string;
     }
     type Files = File[];
     declare const later: string;
     await mcp.fs.read({ path });`,
    `n1 fs:read path=$path
     path: string`,
  ],
  [
    "a generic arrow function",
    `const first = <T,>(list: T[]): T | undefined => list[0];
     const files = await mcp.fs.list({ path });
     await mcp.fs.read({ path: first<string>(files) });`,
    `n1 fs:list path=$path
     n2 fs:read path=n1.0
     n1 > n2
     n1 => n2
     path: string`,
  ],
  [
    "a typed callback",
    `await Promise.all(paths.map(async (path: string): Promise<void> => {
       await mcp.fs.delete({ path });
     }));`,
    `f1 fork all
     l1 concurrent callback paths
     n1 fs:delete path=l1
     j1 join all
     f1 > l1
     l1 [n1
     l1 > j1
     paths: array`,
  ],
  [
    "typed destructuring",
    `const { path, limit = 5 }: { path: string; limit?: number } = args;
     await mcp.api.list({ cursor: path, limit });`,
    `n1 api:list cursor=$path limit=$limit
     path: string
     limit? = 5: number`,
  ],
  [
    "a typed loop",
    `const found: string[] = [];
     for (const path of paths as string[]) {
       const { text }: { text: string } = await mcp.fs.read({ path });
       found.push(text);
     }`,
    `l1 for-of paths
     n1 fs:read path=l1
     l1 [n1
     paths: array`,
  ],
  [
    "a typed error",
    `try {
       await mcp.fs.read({ path });
     } catch (error: unknown) {
       await mcp.log.write({});
     }`,
    `n1 fs:read path=$path
     d1 catch error
     n2 log:write
     n1 > d1
     d1 -error> n2
     path: string`,
  ],
  [
    "a type guard",
    `const isFile = (value: unknown): value is { path: string } => typeof value === "object";
     if (isFile(args.file)) await mcp.fs.read({ path: args.file.path });`,
    `d1 if isFile(args.file)
     n1 fs:read path=$file.path
     d1 -true> n1
     file?: object`,
  ],
  [
    "a class with typed members",
    `class Store {
       private readonly path: string = "a.json";
       async clear(): Promise<void> {
         await mcp.db.write({});
       }
     }
     await new Store().clear();`,
    `l1 deferred
     n1 db:write
     l1 [n1`,
  ],
  [
    "an abstract class and implements",
    `abstract class Base implements Iterable<number> {
       abstract size: number;
       *[Symbol.iterator](): Iterator<number> {}
     }
     await mcp.log.write({});`,
    `n1 log:write`,
  ],
  [
    "a function type with an arrow",
    `const run: (path: string) => Promise<unknown> = async (path) => await mcp.fs.read({ path });
     await run(args.path);`,
    `n1 fs:read path=$path
     path: string`,
  ],
  [
    "overloads",
    `function pick(value: string): string;
     function pick(value: number): number;
     function pick(value: unknown): unknown {
       return value;
     }
     await mcp.log.write({ value: pick(args.value) as string });`,
    `n1 log:write value=$value
     value`,
  ],
  [
    "comparisons are no generics",
    `if (a < b && c > (d)) await mcp.log.write({});`,
    `d1 if a < b && c > (d)
     n1 log:write
     d1 -true> n1
     a
     b
     c
     d`,
  ],
  [
    "type-only imports and exports of types leave nothing",
    `type Options = { readonly [key: string]: unknown };
     let options: Options | undefined;
     options = { path: "a.json" } as Options;
     await mcp.fs.read(options!);`,
    `n1 fs:read path="a.json"
     path? = "a.json": string`,
  ],
  [
    "definite assignment",
    `let text!: string;
     text = (await mcp.fs.read({ path })).text;
     await mcp.log.write({ text });`,
    `n1 fs:read path=$path
     n2 log:write text=n1.text
     n1 > n2
     n1 => n2
     path: string`,
  ],
  [
    "a const type parameter and a default",
    `const keep = <const T = string>(value: T): T => value;
     await mcp.log.write({ value: keep("x") });`,
    `n1 log:write value="x"
     value? = "x": string`,
  ],
  [
    "this as a parameter and unions of literals",
    `type Mode = "a" | "b";
     async function save(this: void, mode: Mode) {
       await mcp.db.write({ mode });
     }
     await save("b");`,
    `n1 db:write mode="b"
     mode? = "b": string`,
  ],
];
