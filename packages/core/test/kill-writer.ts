// Writes runs without end and says which of them were acknowledged; started by durability.slow.test.ts, and killed.
import { CapabilityStore } from "@pml/core";
import { createHashEmbedder } from "@pml/embeddings";

const [dataDir = "", round = ""] = process.argv.slice(2);
await using store = await CapabilityStore.open({ dataDir, embedder: createHashEmbedder() });
const source = { type: "code", code: 'return mcp.a.b({ c: "x" });' } as const;
const { capability } = await store.create({ source, intent: "write" });
console.log("open");
for (let count = 0; ; count++) {
  const { traceId } = await store.recordRun({
    trace: {
      capabilityId: capability.id,
      success: true,
      startedAt: new Date(),
      durationMs: 1,
      args: { round, count },
      tasks: [{ taskId: "t", tool: "a:b", success: true, startedAtMs: 0, durationMs: 1 }],
    },
    toolDependencies: [{ fromToolId: "a:b", toToolId: "a:c", edgeType: "sequence" }],
  });
  console.log(traceId);
}
