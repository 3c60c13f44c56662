/** What the conformance suite starts as a client: connects to the address it is given, and calls what is there. */
import { connectMcpServers } from "@pml/mcp";

const url = process.argv.at(-1) ?? "";
const servers = await connectMcpServers({ suite: { url } });
const [status] = servers.list();
if (status?.state !== "connected") throw new Error(status?.error?.message);
for (const { execute } of servers.tools) await execute({ a: 5, b: 3 }, { signal: AbortSignal.timeout(20_000) });
await servers.close();
