import type { Snippet } from "./snippet.js";

/** What may fail, and what happens then. */
export const ERRORS: readonly Snippet[] = [
  [
    "a call that may fail leads to the handler",
    `try {
       await mcp.fs.read({ path });
     } catch (error) {
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
    "what follows a try follows both ways",
    `try {
       await mcp.fs.read({ path });
     } catch {
       await mcp.log.write({});
     }
     await mcp.db.write({});`,
    `n1 fs:read path=$path
     d1 catch
     n2 log:write
     n3 db:write
     n1 > d1
     d1 -error> n2
     d1 -ok> n3
     n2 > n3
     path: string`,
  ],
  [
    "any call of the block may be the one that fails",
    `try {
       await mcp.fs.create({ path });
       await mcp.fs.write({ path, content });
     } catch (error) {
       await mcp.fs.delete({ path });
     }`,
    `n1 fs:create path=$path
     n2 fs:write path=$path content=$content
     d1 catch error
     n3 fs:delete path=$path
     n1 > n2
     n1 > d1
     n2 > d1
     d1 -error> n3
     path: string
     content: string`,
  ],
  [
    "a handler that does nothing",
    `try {
       await mcp.fs.delete({ path });
     } catch {}
     await mcp.log.write({});`,
    `n1 fs:delete path=$path
     d1 catch
     n2 log:write
     n1 > d1
     d1 -ok> n2
     d1 -error> n2
     path: string`,
  ],
  [
    "a fallback by try and catch",
    `let text;
     try {
       text = await mcp.fs.read({ path });
     } catch {
       text = await mcp.api.fetch({});
     }
     await mcp.log.write({ text });`,
    `n1 fs:read path=$path
     d1 catch
     n2 api:fetch
     n3 log:write text=(text)<n1 n2>
     n1 > d1
     d1 -error> n2
     d1 -ok> n3
     n2 > n3
     n1 => n3
     n2 => n3
     path: string`,
  ],
  [
    "a try around nothing that is called is left out",
    `try {
       JSON;
     } catch {
       0;
     }
     await mcp.log.write({});`,
    `n1 log:write`,
  ],
  [
    "an operation may fail too",
    `let data;
     try {
       data = JSON.parse(args.text);
     } catch {
       data = null;
     }
     await mcp.log.write({ data });`,
    `n1 code:JSON.parse args=$*
     d1 catch
     n2 log:write data=(data)<n1>
     n1 > d1
     d1 -ok> n2
     d1 -error> n2
     n1 => n2
     text`,
  ],
  [
    "helpers may fail for their caller",
    `const load = async () => await mcp.fs.read({ path });
     try {
       await load();
     } catch {
       await mcp.log.write({});
     }`,
    `n1 fs:read path=$path
     d1 catch
     n2 log:write
     n1 > d1
     d1 -error> n2
     path: string`,
  ],
];
