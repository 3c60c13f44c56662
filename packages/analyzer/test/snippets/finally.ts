import type { Snippet } from "./snippet.js";

/** What happens however a block was left, and jumps out of it. */
export const FINALLY: readonly Snippet[] = [
  [
    "a handler that throws again ends there",
    `try {
       await mcp.fs.read({ path });
     } catch (error) {
       await mcp.log.write({});
       throw error;
     }
     await mcp.db.write({});`,
    `n1 fs:read path=$path
     d1 catch error
     n2 log:write
     n3 db:write
     n1 > d1
     d1 -error> n2
     d1 -ok> n3
     path: string`,
  ],
  [
    "a return in the block leaves what follows to the handler",
    `try {
       return await mcp.fs.read({ path });
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
     n2 > n3
     path: string`,
  ],
  [
    "a return in the handler",
    `try {
       await mcp.fs.read({ path });
     } catch {
       return null;
     }
     await mcp.db.write({});`,
    `n1 fs:read path=$path
     d1 catch
     n2 db:write
     n1 > d1
     d1 -ok> n2
     path: string`,
  ],
  [
    "finally follows whatever happened",
    `try {
       await mcp.fs.read({ path });
     } finally {
       await mcp.log.write({});
     }`,
    `n1 fs:read path=$path
     n2 log:write
     n1 > n2
     path: string`,
  ],
  [
    "finally after a handler",
    `try {
       await mcp.fs.read({ path });
     } catch (error) {
       await mcp.db.write({});
     } finally {
       await mcp.log.write({});
     }`,
    `n1 fs:read path=$path
     d1 catch error
     n2 db:write
     n3 log:write
     n1 > d1
     d1 -error> n2
     d1 -ok> n3
     n2 > n3
     path: string`,
  ],
  [
    "finally runs after a return",
    `try {
       return await mcp.fs.read({ path });
     } finally {
       await mcp.log.write({});
     }
     await mcp.db.write({});`,
    `n1 fs:read path=$path
     n2 log:write
     n1 > n2
     path: string`,
  ],
  [
    "a throw in the block leads to the handler",
    `try {
       const file = await mcp.fs.stat({ path });
       if (!file.exists) throw new Error("missing");
       await mcp.fs.read({ path });
     } catch (error) {
       await mcp.log.write({});
     }`,
    `n1 fs:stat path=$path
     d1 if !file.exists
     n2 fs:read path=$path
     d2 catch error
     n3 log:write
     n1 > d1
     d1 -false> n2
     n1 > d2
     n2 > d2
     d1 -true> d2
     d2 -error> n3
     path: string`,
  ],
  [
    "a try in a loop goes on with the next",
    `for (const path of paths) {
       try {
         await mcp.fs.delete({ path });
       } catch {
         continue;
       }
       await mcp.log.write({ path });
     }`,
    `l1 for-of paths
     n1 fs:delete path=l1
     d1 catch
     n2 log:write path=l1
     l1 [n1
     l1 [d1
     n1 > d1
     l1 [n2
     d1 -ok> n2
     paths: array`,
  ],
  [
    ".finally follows whatever happened",
    `const text = await mcp.fs.read({ path }).finally(() => mcp.log.write({}));
     await mcp.db.write({ text });`,
    `n1 fs:read path=$path
     n2 log:write
     n3 db:write text=n1
     n1 > n2
     n2 > n3
     n1 => n3
     path: string`,
  ],
  [
    "what is thrown may be a result",
    `throw new Error((await mcp.fs.read({ path })).text);`,
    `n1 fs:read path=$path
     path: string`,
  ],
  [
    "a retry in a loop",
    `for (let attempt = 0; attempt < 3; attempt++) {
       try {
         return await mcp.api.fetch({});
       } catch (error) {
         await mcp.log.write({ message: error.message });
       }
     }`,
    `l1 for attempt < 3
     n1 api:fetch
     d1 catch error
     n2 log:write message=(error.message)<>
     l1 [n1
     l1 [d1
     n1 > d1
     l1 [n2
     d1 -error> n2`,
  ],
  [
    "a return in finally wins",
    `try {
       await mcp.fs.read({ path });
     } finally {
       return 1;
     }
     await mcp.db.write({});`,
    `n1 fs:read path=$path
     path: string`,
  ],
];
