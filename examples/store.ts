import assert from "node:assert/strict";

// #region readme
import { CapabilityStore } from "@pml/core";
import { createEmbedder } from "@pml/embeddings";

const store = await CapabilityStore.open({ dataDir: ":memory:", embedder: createEmbedder() });
const { capability } = await store.put({
  intent: "read the settings of the app",
  source: { type: "code", code: 'return mcp.fs.read({ path: "settings.json" });' },
  toolsUsed: ["fs:read"],
});
// It worked: from now on it is found.
await store.recordRun({
  trace: { capabilityId: capability.id, success: true, startedAt: new Date(), durationMs: 12 },
});
const [match] = await store.searchByIntent("open the application's configuration");
console.log(match?.capability.intent, match?.semanticScore);
await store.close();
// #endregion

assert.equal(match?.capability.id, capability.id);
assert.equal(match.capability.status, "active");
